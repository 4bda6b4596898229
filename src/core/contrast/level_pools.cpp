#include "core/contrast/level_pools.h"

namespace bisector::detail {
namespace {

/// Class 0 is "inside", whose pool has the points.
bool has_points(const LevelPools::Decision& decision, Side side) {
  return (side == Side::positive ? decision.positive : decision.negative) == 0;
}

}  // namespace

std::vector<linalg::GroupedNeighbors> LevelPools::nearest(MatrixView<const double> rows,
                                                          std::size_t kappa, unsigned threads,
                                                          std::vector<VoteCounts>& votes) const {
  votes.resize(rows.rows());
  return detector_.nearest(rows, kappa, threads);
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

}  // namespace bisector::detail
