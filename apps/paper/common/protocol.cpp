#include "common/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "bisector/train/train.h"

namespace bisector::paper {
namespace {

ClassTarget pick_classes(const ClassTarget& target, std::span<const std::size_t> order) {
  ClassTarget picked{{}, target.labels};
  for (const std::size_t n : order) picked.classes.push_back(target.classes[n]);
  return picked;
}

std::vector<double> pick_numbers(const std::vector<double>& numbers,
                                 std::span<const std::size_t> order) {
  std::vector<double> picked;
  if (numbers.empty()) return picked;
  for (const std::size_t n : order) picked.push_back(numbers[n]);
  return picked;
}

/// R^2.
double explained_variance(const Model& model, const Matrix& rows,
                          const std::vector<double>& target) {
  const Matrix predicted = predict(model, rows.view()).decisions;
  const double mean =
      std::accumulate(target.begin(), target.end(), 0.0) / static_cast<double>(target.size());
  double errors = 0.0, squares = 0.0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    errors += (predicted(r, 0) - target[r]) * (predicted(r, 0) - target[r]);
    squares += (target[r] - mean) * (target[r] - mean);
  }
  return 1.0 - errors / squares;
}

}  // namespace

std::string name(ModelKind kind) { return kind == ModelKind::svm ? "svm" : "knn"; }
std::string title(ModelKind kind) { return kind == ModelKind::svm ? "SVM" : "KNN"; }

Split split(const Dataset& dataset, std::uint64_t seed, std::size_t max_rows) {
  std::vector<std::size_t> order(dataset.rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  order.resize(std::min(order.size(), max_rows));
  const std::size_t test_count = order.size() / 5;
  const auto test = std::span(order).first(test_count),
             train = std::span(order).subspan(test_count);
  return {gather_rows(dataset.rows, train),     gather_rows(dataset.rows, test),
          pick_classes(dataset.target, train),  pick_classes(dataset.target, test),
          pick_numbers(dataset.numbers, train), pick_numbers(dataset.numbers, test)};
}

Split inliers(Split data) {
  std::vector<std::size_t> counts(data.train_target.labels.size());
  for (const std::size_t c : data.train_target.classes) ++counts[c];
  const auto inside = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < data.train_target.classes.size(); ++r) {
    if (data.train_target.classes[r] == inside) kept.push_back(r);
  }
  data.train_rows = gather_rows(data.train_rows, kept);
  data.train_target = {std::vector<std::size_t>(kept.size(), 1), {"-1", "1"}};
  data.test_target.labels = data.train_target.labels;
  for (std::size_t& c : data.test_target.classes) c = c == inside ? 1 : 0;
  return data;
}

Fitted fit_model(const Split& data, const Learner& learner, const std::optional<Grid>& grid,
                 std::uint64_t seed, bool to_numbers, TuneScore score_to_tune) {
  TrainOptions options;
  options.seed = seed;
  if (grid) options.tune = TuneOptions{.grid = *grid, .score = score_to_tune, .seed = seed};
  Target target = data.train_target;
  const bool is_regressor = to_numbers || std::holds_alternative<SvrLearner>(learner) ||
                            std::holds_alternative<RidgeLearner>(learner);
  if (is_regressor) target = data.train_numbers;
  if (std::holds_alternative<OneClassLearner>(learner)) target = std::monostate();
  TrainResult training = train(learner, data.train_rows.view(), target, options);
  const double score = is_regressor
                           ? explained_variance(training.model, data.test_rows, data.test_numbers)
                           : accuracy(training.model, data.test_rows, data.test_target);
  return {std::move(training.model), training.learner, score};
}

Fitted fit_model(const Split& data, const DatasetInfo& info, ModelKind kind,
                 const Selection& selection, std::uint64_t seed) {
  Learner learner = SvmLearner{.gamma = info.gamma};
  if (kind == ModelKind::knn) learner = NeighborLearner{info.k};
  std::optional<Grid> grid;
  if (selection.tune_all || kind == ModelKind::svm) grid.emplace();
  if (grid && !selection.tune_all) grid->gamma = {info.gamma};
  return fit_model(data, learner, grid, seed, false,
                   selection.is_balanced ? TuneScore::balanced_accuracy : TuneScore::automatic);
}

double accuracy(const Model& model, const Matrix& rows, const ClassTarget& target) {
  const Predictions predictions = predict(model, rows.view());
  const std::vector<std::string> labels = model.labels();
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    right += labels[predictions.classes[r]] == target.labels[target.classes[r]];
  return static_cast<double>(right) / static_cast<double>(rows.rows());
}

std::string describe(const Learner& learner) {
  const auto words = [](const auto& l) {
    using L = std::decay_t<decltype(l)>;
    if constexpr (std::is_same_v<L, NeighborLearner>)
      return fmt::format("k={}", l.k);
    else if constexpr (std::is_same_v<L, DetectorLearner>)
      return fmt::format("k={} outliers={}", l.k, l.outliers);
    else if constexpr (std::is_same_v<L, DensityLearner>)
      return fmt::format("gamma={} outliers={}", l.gamma, l.outliers);
    else if constexpr (std::is_same_v<L, OneClassLearner>)
      return fmt::format("gamma={} nu={}", l.gamma, l.nu);
    else if constexpr (std::is_same_v<L, RidgeLearner>)
      return fmt::format("gamma={} lambda={}", l.gamma, l.lambda);
    else
      return fmt::format("gamma={} C={}", l.gamma, l.cost);
  };
  return std::visit(words, learner);
}

Evaluation flip_methods(const Split& data, const Model& model, std::vector<Candidate> methods,
                        std::uint64_t seed, const FlipOptions& flip) {
  for (Candidate& method : methods) {
    auto* const own = std::get_if<Method>(&method.what);
    if (own == nullptr) continue;
    std::visit(
        [&]<class M>(M& one) {
          if constexpr (requires { one.seed; }) one.seed = seed;
        },
        *own);
  }
  EvaluateOptions options;
  options.flipping.seed = seed;
  options.flipping.rows = flip.rows;
  options.flipping.imputer = default_imputer(model);
  options.precision = flip.precision;
  options.donors = flip.donors;
  const auto rows = data.test_rows.view().rows(0, std::min(flip.rows, data.test_rows.rows()));
  return evaluate(model, rows, data.train_rows.view(), methods, options);
}

std::vector<Score> score_methods(const Split& data, const Model& model,
                                 const std::vector<Candidate>& methods, std::uint64_t seed,
                                 const FlipOptions& options) {
  const Evaluation evaluation = flip_methods(data, model, methods, seed, options);
  std::vector<Score> scores;
  for (std::size_t m = 0; m < methods.size(); ++m)
    scores.push_back({evaluation.names[m], options.donors, evaluation.results[m].aufc});
  return scores;
}

}  // namespace bisector::paper
