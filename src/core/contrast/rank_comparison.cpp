#include "core/contrast/rank_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bisector::detail {

namespace {

/// The rank at which a pool's weight reaches `wanted`; at least 1.
std::size_t rank_at(std::span<const double> weights, double wanted) {
  double sum = 0.0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    sum += weights[n];
    if (sum >= wanted) return n + 1;
  }
  return weights.size() + 1;
}

}  // namespace

double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank) {
  return rank <= pool.size() ? pool[rank - 1].squared_distance
                             : std::numeric_limits<double>::infinity();
}

double ranked_output(const linalg::GroupedNeighbors& nearest, const RankComparison& contrast) {
  return pooled_score(nearest[contrast.negative], contrast.negative_rank) -
         pooled_score(nearest[contrast.positive], contrast.positive_rank);
}

RankComparison compare_groups(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                              const VoteCounts& counts, std::size_t positive,
                              std::size_t negative) {
  const double wanted = (counts.weights()[positive] + counts.weights()[negative]) / 2.0;
  if (votes.are_uniform()) {
    const auto rank = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(wanted)));
    return {positive, negative, rank, rank};
  }
  return {positive, negative, rank_at(counts.of_points(nearest, positive), wanted),
          rank_at(counts.of_points(nearest, negative), wanted)};
}

std::size_t strongest_rival(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                            const VoteCounts& counts, std::size_t positive) {
  const std::span<const double> weights = counts.weights();
  if (weights.size() == 2) return 1 - positive;
  std::size_t rival = weights.size();
  double rival_g = 0.0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (c == positive) continue;
    const double g = ranked_output(nearest, compare_groups(votes, nearest, counts, positive, c));
    const bool stronger = rival == weights.size() || weights[c] > weights[rival] ||
                          (weights[c] == weights[rival] && g < rival_g);
    if (stronger) {
      rival = c;
      rival_g = g;
    }
  }
  return rival;
}

}  // namespace bisector::detail
