#include "bisector/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>

#include "bisector/error.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "core/contrast/batches.h"
#include "core/evaluate/imputation.h"
#include "core/explain/resolve.h"
#include "core/linalg/vectors.h"
#include "core/models/model_fields.h"
#include "core/models/rows.h"

namespace bisector {

using namespace detail;

namespace {

/// Relevance whose order is random in every row.
Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Matrix relevance(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : relevance.row(r)) value = static_cast<double>(engine() >> 11);
  }
  return relevance;
}

/// Standard deviation of every column; 1 for a constant column.
std::vector<double> deviations(MatrixView<const double> rows) {
  const std::vector<double> mean = linalg::row_mean(rows);
  std::vector<double> squares(rows.cols(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      squares[d] += (rows(r, d) - mean[d]) * (rows(r, d) - mean[d]);
  }
  for (double& value : squares) {
    value = std::sqrt(value / static_cast<double>(rows.rows()));
    if (!(value > 0.0)) value = 1.0;
  }
  return squares;
}

/// The map to the model from columns that are divided by their standard deviations.
AffineMap from_divided(const AffineMap& input, const std::vector<double>& deviation) {
  std::vector<double> shift = input.shift(), scale = input.scale();
  shift.resize(deviation.size(), 0.0);
  scale.resize(deviation.size(), 1.0);
  for (std::size_t d = 0; d < deviation.size(); ++d) {
    shift[d] /= deviation[d];
    scale[d] *= deviation[d];
  }
  return AffineMap(shift, scale, input.matrix(), input.offset());
}

AffineMap dividing(std::vector<double> deviation) {
  for (double& value : deviation) value = 1.0 / value;
  const std::size_t features = deviation.size();
  return AffineMap(std::vector<double>(features, 0.0), std::move(deviation));
}

/// The model's own space, after its preprocessing. If the preprocessing mixes features, they cannot
/// be removed one by one there: then it is the space of the inputs, each divided by its standard
/// deviation over the donor rows.
class RemovalSpace {
 public:
  RemovalSpace(const Model& model, MatrixView<const double> donors);

  /// Maps rows of the model's input space, which outlive the result.
  MappedRows operator()(MatrixView<const double> rows) const {
    return preprocessed(map_, rows, rows.cols());
  }
  /// The classes of rows of this space: above (0) and below `level` for a regressor.
  BatchClassifier classifier(std::optional<double> level, Precision precision,
                             unsigned threads) const {
    // Shared, because a std::function has to be copyable.
    const auto decide = std::make_shared<const DecisionFunction>(model_, precision, threads);
    if (!level) return [decide](MatrixView<const double> rows) { return (*decide)(rows).classes; };
    return [decide, level](MatrixView<const double> rows) {
      const Matrix values = (*decide)(rows).decisions;
      std::vector<std::size_t> classes(rows.rows());
      for (std::size_t r = 0; r < rows.rows(); ++r) classes[r] = values(r, 0) > *level ? 0 : 1;
      return classes;
    };
  }

 private:
  AffineMap map_;  // from the model's inputs to this space
  Model model_;    // of rows of this space
};

RemovalSpace::RemovalSpace(const Model& model, MatrixView<const double> donors)
    : map_(model.input()), model_(model.predictor()) {
  if (!map_.has_matrix()) return;
  const std::vector<double> deviation = deviations(donors);
  model_ = Model(model.predictor(), from_divided(map_, deviation));
  map_ = dividing(deviation);
}

void require_applicable(MatrixView<const double> rows, std::span<const Candidate> candidates) {
  require_some(candidates.size(), "candidates");
  require_some(rows.rows(), "rows to evaluate");
  for (const Candidate& candidate : candidates) {
    const auto* given = std::get_if<GivenRelevance>(&candidate.what);
    if (given && given->relevance.rows() != rows.rows())
      throw InvalidInput(fmt::format("{} has {} rows, expected {}: one for each row of the data",
                                     candidate.name, given->relevance.rows(), rows.rows()));
  }
}

/// Rows per progress callback.
constexpr std::size_t kPart = 1024;

/// Positive relevance supports the prediction. `numbers` are the numbers of the rows in the data;
/// `tell` is called after every part.
Matrix oriented_relevance(const Explainer& explainer, MatrixView<const double> rows,
                          std::span<const std::size_t> numbers, const std::function<void()>& tell) {
  Matrix relevance(rows.rows(), rows.cols());
  for (std::size_t first = 0; first < rows.rows(); first += kPart) {
    const std::size_t count = std::min(kPart, rows.rows() - first);
    Explanation part = explainer(rows.rows(first, count), first);
    orient_to_prediction(part);
    for (std::size_t r = 0; r < count; ++r) {
      if (!part.prediction.empty() && part.prediction[r] != part.positive[r])
        throw InvalidInput(fmt::format(
            "row {} is predicted as a third class, expected one of the two classes that its "
            "relevance contrasts",
            numbers[first + r] + 1));
      std::ranges::copy(part.relevance.row(r), relevance.row(first + r).begin());
    }
    tell();
  }
  return relevance;
}

/// The same for relevance that supports a fixed class. If the model has no fixed pair of classes,
/// the relevance supports the predicted class already.
void orient_fixed(const Model& model, MatrixView<const double> rows, std::optional<double> level,
                  Matrix& relevance) {
  const auto pair = model.fixed_pair();
  if (!pair && !level) return;
  const Predictions predictions = predict(model, rows);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const bool is_positive =
        pair ? predictions.classes[r] == pair->positive : predictions.decisions(r, 0) > *level;
    if (is_positive) continue;
    for (double& value : relevance.row(r)) value = -value;
  }
}

/// The relevance of `rows`, whose numbers in the data are `chosen`.
Matrix relevance_of(const Candidate& candidate, const Model& model, MatrixView<const double> rows,
                    std::span<const std::size_t> chosen, const EvaluateOptions& options) {
  const auto tell = [&] {
    if (options.flipping.progress) options.flipping.progress(0, rows.rows());
  };
  return std::visit(Overloaded{[&](const Method& method) {
                                 const Explainer explainer(model, method, options.explain);
                                 return oriented_relevance(explainer, rows, chosen, tell);
                               },
                               [&](const RandomOrder& random) {
                                 return random_relevance(rows.rows(), rows.cols(), random.seed);
                               },
                               [&](const GivenRelevance& given) {
                                 Matrix relevance = gather_rows(given.relevance, chosen);
                                 const auto level = resolve_level(model, options.explain.level);
                                 if (!given.is_oriented_to_prediction)
                                   orient_fixed(model, rows, level, relevance);
                                 return relevance;
                               }},
                    candidate.what);
}

/// If the donor rows are disjoint, the rules see none of the rows in `imputation`.
ExplainOptions explain_options(const EvaluateOptions& options, MatrixView<const double> background,
                               const DonorSplit& split) {
  ExplainOptions explain = options.explain;
  explain.unit = Unit::g;  // features are ordered by g, whatever is shown
  if (split.donors == Donors::same) return explain;
  explain.background = explain.background ? without_rows(*explain.background,
                                                         gather_rows(background, split.imputation))
                                          : gather_rows(background, split.rule);
  return explain;
}

void require_imputation(const Model& model, Imputer imputer) {
  if (default_imputer(model) == Imputer::marginal && imputer != Imputer::marginal)
    throw InvalidInput(
        "the model has categories, expected the marginal imputer, which takes values of real rows");
}

/// Everything that follows from the relevance of `rows`, which are numbered from 0.
void flip(const Model& model, const Matrix& rows, const Matrix& donors,
          std::span<const Matrix> relevance, const EvaluateOptions& options,
          Evaluation& evaluation) {
  const PixelFlippingOptions& flipping = options.flipping;
  require_imputation(model, flipping.imputer);
  const RemovalSpace space(model, donors);
  const BatchClassifier classify = space.classifier(resolve_level(model, options.explain.level),
                                                    options.precision, flipping.threads);
  const DensityEstimate density(space(donors).view(), flipping.threads);
  const MappedRows mapped = space(rows);
  evaluation.background = density.points().rows();
  evaluation.bandwidth = density.bandwidth();
  evaluation.at_lowest_bandwidth = density.at_lowest_bandwidth();
  evaluation.results = pixel_flipping(density, mapped.view(), relevance, classify, flipping);
  evaluation.comparison = compare_to_best(evaluation.results);
}

}  // namespace

Imputer default_imputer(const Model& model) {
  return model.distance().categories().empty() ? Imputer::conditional : Imputer::marginal;
}

Evaluation evaluate(const Model& model, MatrixView<const double> rows,
                    MatrixView<const double> background, std::span<const Candidate> candidates,
                    const EvaluateOptions& options) {
  require_applicable(rows, candidates);
  require_rows(model, rows);
  require_rows(model, background);
  const DonorSplit split = split_donors(background.rows(), options.donors, options.flipping.seed);
  EvaluateOptions own = options;
  own.explain = explain_options(options, background, split);
  const std::vector<std::size_t> chosen = rows_to_evaluate(rows.rows(), own.flipping);
  const Matrix own_rows = gather_rows(rows, chosen);
  Evaluation evaluation;
  evaluation.donors = split.donors;
  evaluation.rule_background = own.explain.background ? own.explain.background->rows() : 0;
  std::vector<Matrix> relevance;
  // Without a background of their own, rules see the model's points and not the rows of its file.
  const Model of_rules = model.with_background(std::nullopt);
  for (const Candidate& candidate : candidates) {
    evaluation.names.push_back(candidate.name);
    relevance.push_back(relevance_of(candidate, of_rules, own_rows.view(), chosen, own));
  }
  flip(model, own_rows, gather_rows(background, split.imputation), relevance, own, evaluation);
  for (PixelFlippingResult& result : evaluation.results) result.rows = chosen;
  return evaluation;
}

}  // namespace bisector
