#include "common/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "bisector/train/train.h"

namespace bisector::paper {
namespace {

constexpr std::size_t kMaxRows = 5000;

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

std::string name(ModelKind kind) { return kind == ModelKind::svm ? "svm" : "knn"; }

Split split(const Dataset& dataset, std::uint64_t seed) {
  std::vector<std::size_t> order(dataset.rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  order.resize(std::min(order.size(), kMaxRows));
  const std::size_t test_count = order.size() / 5;
  const auto test = std::span(order).first(test_count),
             train = std::span(order).subspan(test_count);
  return {gather_rows(dataset.rows, train), gather_rows(dataset.rows, test),
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
  TrainResult training = train(learner, data.train_rows.view(), data.train_target, options);
  const double score = accuracy(training.model, data);
  return {std::move(training.model), training.learner, score};
}

std::string describe(const Learner& learner) {
  if (const auto* svm = std::get_if<SvmLearner>(&learner))
    return fmt::format("gamma={} C={}", svm->gamma, svm->cost);
  return fmt::format("k={}", std::get<NeighborLearner>(learner).k);
}

Evaluation flip_methods(const Split& data, const Model& model, std::vector<Candidate> methods,
                        std::uint64_t seed, Precision precision, std::size_t most_rows) {
  for (Candidate& method : methods) {
    auto* const own = std::get_if<Method>(&method.what);
    if (auto* sampled = own ? std::get_if<SampledShapley>(own) : nullptr) sampled->seed = seed;
  }
  EvaluateOptions options;
  options.flipping.seed = seed;
  options.flipping.rows = most_rows;
  options.precision = precision;
  options.donors = Donors::same;  // as the paper has it
  const auto rows = data.test_rows.view().rows(0, std::min(most_rows, data.test_rows.rows()));
  return evaluate(model, rows, data.train_rows.view(), methods, options);
}

std::vector<Score> score_methods(const Split& data, const Model& model,
                                 const std::vector<Candidate>& methods, std::uint64_t seed,
                                 Precision precision, std::size_t most_rows) {
  const Evaluation evaluation = flip_methods(data, model, methods, seed, precision, most_rows);
  std::vector<Score> scores;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const PixelFlippingResult& result = evaluation.results[m];
    scores.push_back({evaluation.names[m], result.rows.size(), result.mean, result.standard_error});
  }
  return scores;
}

}  // namespace bisector::paper
