#include "bisector/train/train.h"

#include <fmt/format.h>

#include <type_traits>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/linalg/pairwise.h"
#include "core/models/rows.h"
#include "train/svm_training.h"

namespace bisector {

using namespace detail;

namespace {

/// The median of the model's own distance, which may not be Euclidean.
std::optional<double> own_median(const Predictor& predictor, MatrixView<const double> rows,
                                 std::optional<double> euclidean) {
  const Model model(predictor);
  if (model.distance().is_euclidean()) return euclidean;
  const double median = linalg::median_distance(rows, model.distance());
  return median > 0.0 ? std::optional(median) : std::nullopt;
}

/// The model with the three numbers per pair of classes that convert explanations to its unit. A
/// model that cannot be explained has none.
Model with_scales(const Model& model, MatrixView<const double> rows, unsigned threads) {
  try {
    return model.with_unit_scales(compute_unit_scales(model, rows, threads));
  } catch (const InvalidModel&) {
    return model;
  }
}

bool is_support_vector_machine(const Learner& learner) {
  return std::holds_alternative<SvmLearner>(learner) ||
         std::holds_alternative<SvrLearner>(learner) ||
         std::holds_alternative<OneClassLearner>(learner);
}

void require_within(const Learner& learner, std::size_t rows, const Target& target,
                    const TrainOptions& options) {
  const auto most =
      options.limits.rows ? options.limits.rows : row_limit(learner, options.tune.has_value());
  if (row_limit(learner, false) && rows > *most)
    throw InvalidInput(fmt::format(
        "{} is trained on at most {} rows here, but the table has {}: use --sample {} to train on "
        "some of them, or --limit rows={}, which takes long",
        is_support_vector_machine(learner) ? "a support vector machine" : "kernel ridge", *most,
        rows, *most, rows));
  const auto* classes = std::get_if<ClassTarget>(&target);
  if (classes == nullptr || !std::holds_alternative<SvmLearner>(learner)) return;
  const std::size_t count = classes->labels.size();
  if (count > options.limits.classes)
    throw InvalidInput(fmt::format(
        "the target has {} classes, but a support vector machine has a machine for every pair and "
        "takes at most {} classes: use --model knn, or --limit classes={}",
        count, options.limits.classes, count));
}

}  // namespace

std::optional<std::size_t> row_limit(const Learner& learner, bool is_tuned) {
  using Limit = std::optional<std::size_t>;
  constexpr std::size_t kRidge = 20'000, kTunedRidge = 10'000, kSupportVectors = 50'000,
                        kGramMatrix = 10'000;
  return std::visit(
      [&]<class Own>(const Own& own) -> Limit {
        if constexpr (std::is_same_v<Own, RidgeLearner>) return is_tuned ? kTunedRidge : kRidge;
        if constexpr (
            requires { own.cost; } || requires { own.nu; })
          return takes_gram(own.kernel, kSupportVectors) ? kGramMatrix : kSupportVectors;
        return std::nullopt;
      },
      learner);
}

TrainResult train(const Learner& learner, MatrixView<const double> rows, const Target& target,
                  const TrainOptions& options) {
  require_within(learner, rows.rows(), target, options);
  FittedScaling scaling = fit_scaling(rows, options.scaling, options.seed, options.threads);
  const MappedRows scaled = preprocessed(scaling.map, rows, rows.cols());
  std::optional<TuneResult> tuning;
  if (options.tune) tuning = tune(learner, scaled.view(), target, *options.tune);
  const Learner chosen = tuning ? tuning->trials[tuning->best].learner : learner;
  auto [predictor, points] =
      fit_points(chosen, scaled.view(), target, options.threads, options.progress);
  if (!options.row_numbers.empty()) {
    for (std::size_t& row : points) row = options.row_numbers.at(row);
  }
  const Model model =
      Model(predictor, std::move(scaling.map), options.feature_names,
            own_median(predictor, scaled.view(), scaling.median_distance), options.encoding)
          .with_training_rows(std::move(points));
  return {with_scales(model, rows, options.threads), chosen, std::move(tuning)};
}

}  // namespace bisector
