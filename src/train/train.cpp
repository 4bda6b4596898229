#include "bisector/train/train.h"

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/linalg/pairwise.h"
#include "core/models/rows.h"

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

}  // namespace

TrainResult train(const Learner& learner, MatrixView<const double> rows, const Target& target,
                  const TrainOptions& options) {
  FittedScaling scaling = fit_scaling(rows, options.scaling, options.seed, options.threads);
  const MappedRows scaled = preprocessed(scaling.map, rows, rows.cols());
  if (options.before) options.before(scaled.view());
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
