#include "train/detectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/predict.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {
namespace {

using Neighbors = std::vector<linalg::Neighbor>;

/// The k nearest others of a point, from its k + 1 nearest.
Neighbors others(Neighbors nearest, std::size_t point, std::size_t k) {
  std::erase_if(nearest, [&](const linalg::Neighbor& n) { return n.index == point; });
  nearest.resize(k);  // of many equal points, the point itself may be missing
  return nearest;
}

double score_of(const OutlierDetector& detector, const Neighbors& nearest, std::size_t point) {
  using Score = OutlierDetector::Score;
  const auto distance = [&](const linalg::Neighbor& n) {
    return detector.distance().length(n.squared_distance);
  };
  if (detector.score() == Score::kth_distance) return distance(nearest.back());
  const bool is_local = detector.score() == Score::local_outlier_factor;
  const std::vector<double>& densities = detector.local_densities().densities;
  double sum = 0.0;
  for (const linalg::Neighbor& n : nearest)
    sum += is_local ? densities[n.index] / densities[point] : distance(n);
  return sum / static_cast<double>(nearest.size());
}

/// Of every point by the others.
std::vector<double> scores_of(const OutlierDetector& detector, unsigned threads) {
  const Matrix& points = detector.points();
  const linalg::NeighborSearch search(
      detector.shared_points(), std::vector<std::size_t>(points.rows(), 0), 1, detector.distance());
  std::vector<double> scores;
  for (std::size_t first = 0; first < points.rows(); first += linalg::kRowTile) {
    const std::size_t count = std::min(linalg::kRowTile, points.rows() - first);
    auto found = search.search(points.view().rows(first, count), detector.k() + 1, threads);
    for (std::size_t r = 0; r < count; ++r)
      scores.push_back(
          score_of(detector, others(std::move(found[r][0]), first + r, detector.k()), first + r));
  }
  return scores;
}

/// How many of the rows are to lie outside; one stays inside.
std::size_t count_outside(double share, std::size_t rows) {
  const auto count = static_cast<std::size_t>(std::floor(share * static_cast<double>(rows)));
  return std::min(count, rows - 1);
}

}  // namespace

Predictor fit_detector(const DetectorLearner& learner, SharedMatrix points, unsigned threads) {
  const OutlierDetector untuned(points, learner.k, learner.score, 1.0, learner.distance);
  untuned.prepare(threads);
  std::vector<double> scores = scores_of(untuned, threads);
  std::ranges::sort(scores, std::greater<>());
  const double threshold = scores[count_outside(learner.outliers, scores.size())];
  return OutlierDetector(std::move(points), learner.k, learner.score, threshold, learner.distance);
}

OneClassMachine fit_density(const DensityLearner& learner, SharedMatrix points, unsigned threads) {
  const std::size_t rows = points->rows();
  const std::vector<double> shares(rows, 1.0 / static_cast<double>(rows));
  const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
  const KernelMachine density(points, shares, kernel, 0.0);
  const DecisionFunction function(Model(KernelRegressor{density, std::nullopt}), Precision::float64,
                                  threads);
  const Predictions at_points = function(points->view());
  std::vector<double> values(at_points.decisions.values().begin(),
                             at_points.decisions.values().end());
  std::ranges::sort(values);
  // Between the last outside and the first inside, so that no row stands on the level.
  const std::size_t outside = count_outside(learner.outliers, rows);
  const double below = outside == 0 ? 0.0 : values[outside - 1];
  return OneClassMachine{
      KernelMachine(std::move(points), shares, kernel, -(below + values[outside]) / 2.0)};
}

}  // namespace bisector::detail
