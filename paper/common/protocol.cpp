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
  return {gather_rows(dataset.rows, train), gather_rows(dataset.rows, test),
          pick_classes(dataset.target, train), pick_classes(dataset.target, test)};
}

Fitted fit_model(const Split& data, const DatasetInfo& info, ModelKind kind,
                 const Selection& selection, std::uint64_t seed) {
  Learner learner = SvmLearner{.gamma = info.gamma};
  if (kind == ModelKind::knn) learner = NeighborLearner{info.k};
  TrainOptions options;
  options.seed = seed;
  if (selection.tune_all || kind == ModelKind::svm) {
    options.tune = TuneOptions{.seed = seed};
    if (!selection.tune_all) options.tune->grid.gamma = {info.gamma};
    if (selection.is_balanced) options.tune->score = TuneScore::balanced_accuracy;
  }
  TrainResult training = train(learner, data.train_rows.view(), data.train_target, options);
  const double reached = accuracy(training.model, data.test_rows, data.test_target);
  return {std::move(training.model), training.learner, reached};
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
  if (const auto* neighbors = std::get_if<NeighborLearner>(&learner))
    return fmt::format("k={}", neighbors->k);
  const auto& svm = std::get<SvmLearner>(learner);
  return fmt::format("gamma={} C={}", svm.gamma, svm.cost);
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
