#include "bisector/train/train.h"

#include "core/models/rows.h"

namespace bisector {

using namespace detail;

TrainResult train(const Learner& learner, MatrixView<const double> rows, const Target& target,
                  const TrainOptions& options) {
  FittedScaling scaling = fit_scaling(rows, options.scaling, options.seed, options.threads);
  const MappedRows scaled = preprocessed(scaling.map, rows, rows.cols());
  if (options.before) options.before(scaled.view());
  std::optional<TuneResult> tuning;
  if (options.tune) tuning = tune(learner, scaled.view(), target, *options.tune);
  const Learner chosen = tuning ? tuning->trials[tuning->best].learner : learner;
  Model model(fit(chosen, scaled.view(), target, options.threads, options.progress),
              std::move(scaling.map), options.feature_names, scaling.median_distance,
              options.encoding);
  return {std::move(model), chosen, std::move(tuning)};
}

}  // namespace bisector
