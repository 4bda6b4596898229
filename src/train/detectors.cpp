#include "train/detectors.h"

#include <algorithm>
#include <cmath>

#include "bisector/predict.h"

namespace bisector::detail {
namespace {

/// The decision values of the model's own points, ascending.
std::vector<double> sorted_decisions(const Predictor& predictor, const Matrix& points,
                                     unsigned threads) {
  const Predictions found =
      DecisionFunction(Model(predictor), Precision::float64, threads)(points.view());
  std::vector<double> values(found.decisions.values().begin(), found.decisions.values().end());
  std::ranges::sort(values);
  return values;
}

/// The number of rows outside; at least one row is inside.
std::size_t count_outside(double fraction, std::size_t rows) {
  const auto count = static_cast<std::size_t>(std::floor(fraction * static_cast<double>(rows)));
  return std::min(count, rows - 1);
}

}  // namespace

Predictor fit_detector(const DetectorLearner& learner, SharedMatrix points, unsigned threads) {
  const OutlierDetector unit(points, learner.k, learner.score, 1.0, learner.distance);
  unit.prepare(threads);
  // With threshold 1 the decision is 1 - score, so the largest scores come first.
  const std::vector<double> decisions = sorted_decisions(unit, *points, threads);
  const std::size_t outside = count_outside(learner.outliers, decisions.size());
  const double inside_score = 1.0 - decisions[outside];
  const double outside_score = outside == 0 ? inside_score : 1.0 - decisions[outside - 1];
  // Rounding must not put the last inside row outside.
  constexpr double kMargin = 1e-12;
  const double threshold =
      std::max((inside_score + outside_score) / 2.0, inside_score * (1.0 + kMargin));
  return OutlierDetector(std::move(points), learner.k, learner.score, threshold, learner.distance);
}

OneClassMachine fit_density(const DensityLearner& learner, SharedMatrix points, unsigned threads) {
  const std::size_t rows = points->rows();
  const std::vector<double> weights(rows, 1.0 / static_cast<double>(rows));
  const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
  const KernelRegressor density{KernelMachine(points, weights, kernel, 0.0), std::nullopt};
  const std::vector<double> values = sorted_decisions(density, *points, threads);
  // The level is halfway between the last outside and the first inside row.
  const std::size_t outside = count_outside(learner.outliers, rows);
  const double below = outside == 0 ? 0.0 : values[outside - 1];
  return OneClassMachine{
      KernelMachine(std::move(points), weights, kernel, -(below + values[outside]) / 2.0)};
}

}  // namespace bisector::detail
