#include "core/contrast/level_pools.h"

#include <algorithm>
#include <cmath>

#include "core/contrast/ranked_pools.h"
#include "core/linalg/row_distance.h"

namespace bisector::detail {
namespace {

/// Class 0 is "inside", whose pool has the points.
bool has_points(const LevelPools::Decision& decision, Side side) {
  return (side == Side::positive ? decision.positive : decision.negative) == 0;
}

}  // namespace

std::vector<linalg::GroupedNeighbors> LevelPools::nearest(const RowTile& tile, std::size_t kappa,
                                                          std::vector<VoteCounts>& votes) const {
  votes.resize(tile.count);
  return detector_.nearest(tile.rows, kappa, tile.threads);
}

std::vector<linalg::GroupedNeighbors> LevelPools::nearest_on_lines(
    MatrixView<const double> rows, const linalg::Lines<double>& lines, std::size_t kappa,
    unsigned threads) const {
  return linalg::search_at_points(rows, lines, [&](MatrixView<const double> points) {
    return detector_.nearest(points, kappa, threads);
  });
}

LevelPools::Decision LevelPools::decide(const linalg::GroupedNeighbors& nearest,
                                        const ClassChoice& choice) const {
  const DetectorPools::Verdict verdict = detector_.decide(nearest[0]);
  Decision decision;
  decision.positive = choice.positive.value_or(0);
  decision.negative = 1 - decision.positive;
  const double sign = decision.positive == 0 ? 1.0 : -1.0;
  decision.g = sign * verdict.g;
  decision.f = sign * verdict.decision;
  decision.prediction = verdict.decision >= 0.0 ? 0 : 1;
  decision.tie = verdict.decision == 0.0 || decision.g == 0.0;
  decision.score = verdict.score;
  decision.level_output = sign * threshold_;
  decision.level_part =
      sign * score(nearest, decision, sign > 0.0 ? Side::negative : Side::positive);
  return decision;
}

std::span<const linalg::Neighbor> LevelPools::pool(const linalg::GroupedNeighbors& nearest,
                                                   const Decision& decision, Side side) const {
  if (!has_points(decision, side)) return {};
  return nearest[0];
}

double LevelPools::score(const linalg::GroupedNeighbors&, const Decision& decision,
                         Side side) const {
  if (has_points(decision, side)) return decision.score;
  return side == Side::positive ? decision.score - decision.g : decision.score + decision.g;
}

Responsible LevelPools::responsible(const linalg::GroupedNeighbors& nearest,
                                    const Decision& decision, Side side, std::size_t kappa) const {
  const auto points = pool(nearest, decision, side);
  if (points.empty()) return {0, {}, 0};
  Responsible result{0, detector_.weights(points, kappa), points.size(), 0.0};
  for (const double weight : result.weights) result.scale += weight;
  // If all neighbors are within their own reach, none has a part.
  if (result.scale == 0.0) return {0, {}, 0, 0.0};
  for (double& weight : result.weights) weight /= result.scale;
  return result;
}

using Score = OutlierDetector::Score;

DetectorPools::DetectorPools(const OutlierDetector& detector)
    : detector_(detector),
      densities_(&detector_.local_densities()),
      search_(detector.shared_points(), std::vector<std::size_t>(detector.points().rows(), 0), 1,
              detector.distance()) {}

std::vector<linalg::GroupedNeighbors> DetectorPools::nearest(MatrixView<const double> rows,
                                                             std::size_t kappa,
                                                             unsigned threads) const {
  const bool has_band = detector_.score() == Score::kth_distance;
  const std::size_t beyond = has_band ? std::min(kappa, points().rows()) : 0;
  return search_.search(rows, detector_.k() + beyond, threads);
}

DetectorPools::Verdict DetectorPools::decide(std::span<const linalg::Neighbor> nearest) const {
  const std::size_t k = detector_.k();
  double level = detector_.threshold();
  if (detector_.score() == Score::kth_distance) {
    const double s = nearest[k - 1].squared_distance, r = length(nearest[k - 1]);
    return {detector_.distance().sum(level) - s, level - r, r, s};
  }
  const bool is_local = detector_.score() == Score::local_outlier_factor;
  double distance = 0.0, density = 0.0;
  for (const linalg::Neighbor& neighbor : nearest.first(k)) {
    const double d = length(neighbor);
    distance += is_local ? std::max(d, densities_->reaches[neighbor.index]) : d;
    if (is_local) density += densities_->densities[neighbor.index];
  }
  distance /= static_cast<double>(k);
  const double score = detector_.distance().sum(distance);
  if (!is_local)
    return {detector_.distance().sum(level) - score, level - distance, distance, score};
  constexpr double kLeast = 1e-10;  // as in the densities of the points
  density /= static_cast<double>(k);
  const double factor = density * (distance + kLeast);
  const double inside = level / density - kLeast;
  const double of_level = std::copysign(detector_.distance().sum(std::abs(inside)), inside);
  return {std::copysign(std::abs(of_level - score), level - factor), level - factor, distance,
          score};
}

double DetectorPools::radius(std::span<const linalg::Neighbor> nearest) const {
  if (detector_.score() == Score::local_outlier_factor) return 0.0;
  constexpr double kError = 1e-13, kSafety = 1.0 - 1e-9;
  const double stretch = linalg::largest_stretch(detector_.distance(), points().cols());
  const double left = std::abs(decide(nearest).decision) - kError * threshold();
  return std::max(0.0, kSafety * left / stretch);
}

std::vector<double> DetectorPools::weights(std::span<const linalg::Neighbor> nearest,
                                           std::size_t kappa) const {
  const std::size_t k = detector_.k();
  std::vector<double> weights(nearest.size(), 0.0);
  if (detector_.score() == Score::kth_distance) {
    const Band band = rank_band(k, kappa, nearest.size());
    for (std::size_t rank = band.first; rank <= band.last; ++rank)
      weights[rank - 1] = 1.0 / static_cast<double>(band.last - band.first + 1);
    return weights;
  }
  const bool is_local = detector_.score() == Score::local_outlier_factor;
  const Verdict verdict = decide(nearest);
  for (std::size_t n = 0; n < k; ++n) {
    const double d = length(nearest[n]);
    const bool counts = d > 0.0 && (!is_local || d > densities_->reaches[nearest[n].index]);
    if (counts)
      weights[n] = verdict.score / verdict.distance * d /
                   (static_cast<double>(k) * nearest[n].squared_distance);
  }
  return weights;
}

}  // namespace bisector::detail
