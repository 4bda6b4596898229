#include "bisector/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "bisector/error.h"
#include "core/explain/batches.h"
#include "core/explain/contrast_functions.h"
#include "core/explain/resolve_options.h"
#include "core/models/rows.h"
#include "core/models/visit.h"

namespace bisector {

using namespace detail;

namespace {

void require_applicable(const Model& model, MatrixView<const double> rows,
                        std::span<const Candidate> candidates) {
  if (model.input().has_matrix())
    throw InvalidInput(
        "the model's preprocessing mixes features (it has a matrix), expected one that scales each "
        "feature by itself: a feature is removed in the space of the model");
  require_some(rows.rows(), "rows to evaluate");
  for (const Candidate& candidate : candidates) {
    const auto* given = std::get_if<GivenRelevance>(&candidate.what);
    if (given && given->relevance.rows() != rows.rows())
      throw InvalidInput(fmt::format("{} has {} rows, expected {}: one for each row of the data",
                                     candidate.name, given->relevance.rows(), rows.rows()));
  }
}

/// So many rows are explained between two words about the progress.
constexpr std::size_t kPart = 1024;

/// Positive = for the prediction; `numbers` are the rows' in the data, and `tell` hears of every
/// part.
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

/// The same for relevance that speaks for a fixed class. Where a model's classes have no fixed
/// order, it speaks for the predicted class already.
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

Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Matrix relevance(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : relevance.row(r)) value = static_cast<double>(engine() >> 11);
  }
  return relevance;
}

/// The relevance of `rows`, which are those of the data with the numbers `chosen`.
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

/// The classes of rows that are in the model's space already.
BatchClassifier classifier_of(const Model& model, const EvaluateOptions& options) {
  // Shared, because a std::function has to be copyable.
  const auto decide = std::make_shared<const DecisionFunction>(
      Model(model.predictor()), options.precision, options.flipping.threads);
  const auto level = resolve_level(model, options.explain.level);
  if (!level) return [decide](MatrixView<const double> rows) { return (*decide)(rows).classes; };
  return [decide, level](MatrixView<const double> rows) {
    const Matrix values = (*decide)(rows).decisions;
    std::vector<std::size_t> classes(rows.rows());
    for (std::size_t r = 0; r < rows.rows(); ++r) classes[r] = values(r, 0) > *level ? 0 : 1;
    return classes;
  };
}

/// Most time of shapley-exact goes where others are done; the gradients of neighbours are none.
bool is_default(const Method& method, const Model& model) {
  return std::visit(Overloaded{[](const ExactShapley&) { return false; },
                               [&](const GradientTimesInput&) { return !has_ranked_pools(model); },
                               [&](const IntegratedGradients&) { return !has_ranked_pools(model); },
                               [&](const Sensitivity&) { return !has_ranked_pools(model); },
                               [](const auto&) { return true; }},
                    method);
}

}  // namespace

Candidate candidate_from_name(std::string_view name, std::uint64_t seed) {
  if (name == RandomOrder::kName) return {std::string(name), RandomOrder{seed}};
  std::vector<std::string_view> known;
  for (Method method : all_methods()) {
    known.push_back(bisector::name(method));
    if (known.back() != name) continue;
    if (auto* sampled = std::get_if<SampledShapley>(&method)) sampled->seed = seed;
    return {std::string(name), method};
  }
  throw InvalidInput(fmt::format("no method \"{}\", expected {}, {}", name, fmt::join(known, ", "),
                                 RandomOrder::kName));
}

std::vector<Candidate> default_candidates(const Model& model, std::uint64_t seed) {
  std::vector<Candidate> candidates;
  for (const Method& method : all_methods()) {
    if (is_default(method, model)) candidates.push_back(candidate_from_name(name(method), seed));
  }
  candidates.push_back(candidate_from_name(RandomOrder::kName, seed));
  return candidates;
}

Evaluation evaluate(const Model& model, MatrixView<const double> rows,
                    MatrixView<const double> background, std::span<const Candidate> candidates,
                    const EvaluateOptions& options) {
  require_applicable(model, rows, candidates);
  require_rows(model, rows);
  require_rows(model, background);
  const BatchClassifier classify = classifier_of(model, options);
  const std::vector<std::size_t> chosen = rows_to_evaluate(rows.rows(), options.flipping);
  const Matrix own_rows = gather_rows(rows, chosen);
  Evaluation evaluation;
  std::vector<Matrix> relevance;
  for (const Candidate& candidate : candidates) {
    evaluation.names.push_back(candidate.name);
    relevance.push_back(relevance_of(candidate, model, own_rows.view(), chosen, options));
  }
  const auto in_model_space = [&](MatrixView<const double> data) {
    return preprocessed(model.input(), data, model.model_features());
  };
  const DensityEstimate density(in_model_space(background).view(), options.flipping.threads);
  evaluation.results = pixel_flipping(density, in_model_space(own_rows.view()).view(), relevance,
                                      classify, options.flipping);
  for (PixelFlippingResult& result : evaluation.results) result.rows = chosen;
  evaluation.background = density.points().rows();
  evaluation.bandwidth = density.bandwidth();
  evaluation.at_lowest_bandwidth = density.at_lowest_bandwidth();
  return evaluation;
}

}  // namespace bisector
