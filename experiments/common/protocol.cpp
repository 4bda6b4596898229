#include "common/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "bisector/train/train.h"

namespace bisector::paper {
namespace {

constexpr std::size_t kMostRows = 5000;

ClassTarget pick_classes(const ClassTarget& target, std::span<const std::size_t> order) {
  ClassTarget picked{{}, target.labels};
  for (const std::size_t n : order) picked.classes.push_back(target.classes[n]);
  return picked;
}

double accuracy(const Model& model, const Split& data) {
  const Predictions predictions = predict(model, data.test_rows.view());
  const std::vector<std::string> labels = model.labels();
  std::size_t right = 0;
  for (std::size_t r = 0; r < data.test_rows.rows(); ++r)
    right += labels[predictions.classes[r]] == data.test_target.labels[data.test_target.classes[r]];
  return static_cast<double>(right) / static_cast<double>(data.test_rows.rows());
}

}  // namespace

Matrix pick_rows(const Matrix& rows, std::span<const std::size_t> order) {
  Matrix picked(order.size(), rows.cols());
  for (std::size_t r = 0; r < order.size(); ++r)
    std::ranges::copy(rows.row(order[r]), picked.row(r).begin());
  return picked;
}

std::string name(ModelKind kind) { return kind == ModelKind::svm ? "svm" : "knn"; }

Split split(const Dataset& dataset, std::uint64_t seed) {
  std::vector<std::size_t> order(dataset.rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  order.resize(std::min(order.size(), kMostRows));
  const std::size_t test_count = order.size() / 5;
  const auto test = std::span(order).first(test_count),
             train = std::span(order).subspan(test_count);
  return {pick_rows(dataset.rows, train), pick_rows(dataset.rows, test),
          pick_classes(dataset.target, train), pick_classes(dataset.target, test)};
}

Fitted fit_model(const Split& data, const DatasetInfo& info, ModelKind kind, bool tune_all,
                 std::uint64_t seed) {
  TrainOptions options;
  options.seed = seed;
  Learner learner = SvmLearner{.gamma = info.gamma};
  if (kind == ModelKind::knn) learner = NeighborLearner{info.k};
  if (tune_all || kind == ModelKind::svm) {
    options.tune = TuneOptions{.seed = seed};
    if (!tune_all) options.tune->grid.gamma = {info.gamma};
  }
  Training training = train(learner, data.train_rows.view(), data.train_target, options);
  const double score = accuracy(training.model, data);
  return {std::move(training.model), training.learner, score};
}

std::string describe(const Learner& learner) {
  if (const auto* svm = std::get_if<SvmLearner>(&learner))
    return fmt::format("gamma={} C={}", svm->gamma, svm->cost);
  return fmt::format("k={}", std::get<NeighborLearner>(learner).k);
}

Evaluation flip_methods(const Split& data, const Model& model,
                        const std::vector<NamedMethod>& methods, std::uint64_t seed,
                        Precision precision, std::size_t most_rows) {
  const auto rows = data.test_rows.view().rows(0, std::min(most_rows, data.test_rows.rows()));
  std::vector<Matrix> relevance;
  for (const NamedMethod& method : methods) {
    MethodOptions options = method.options;
    options.seed = seed;
    relevance.push_back(for_predicted(MethodExplainer(model, method.method, options)(rows)));
  }
  EvaluateOptions options;
  options.flipping.seed = seed;
  options.flipping.rows = rows.rows();
  options.precision = precision;
  return evaluate_model(model, rows, data.train_rows.view(), relevance, options);
}

std::vector<Score> score_methods(const Split& data, const Model& model,
                                 const std::vector<NamedMethod>& methods, std::uint64_t seed,
                                 Precision precision, std::size_t most_rows) {
  const Evaluation evaluation = flip_methods(data, model, methods, seed, precision, most_rows);
  std::vector<Score> scores;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const FlippingResult& result = evaluation.results[m];
    scores.push_back({methods[m].name, result.rows.size(), result.mean, result.standard_error});
  }
  return scores;
}

}  // namespace bisector::paper
