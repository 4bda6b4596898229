#include "core/neuralize/ranked_contrast.h"

#include <algorithm>
#include <limits>

namespace bisector::detail {

std::size_t contrast_rank(std::size_t positive_votes, std::size_t negative_votes) {
  return std::max<std::size_t>(1, (positive_votes + negative_votes + 1) / 2);
}

double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank) {
  return rank <= pool.size() ? pool[rank - 1].squared_distance
                             : std::numeric_limits<double>::infinity();
}

double ranked_output(const linalg::GroupedNeighbors& nearest, const RankedContrast& contrast) {
  return pooled_score(nearest[contrast.negative], contrast.rank) -
         pooled_score(nearest[contrast.positive], contrast.rank);
}

RankedContrast contrast_classes(std::span<const std::size_t> votes, std::size_t positive,
                                std::size_t negative) {
  return {positive, negative, contrast_rank(votes[positive], votes[negative]),
          votes[positive] == votes[negative]};
}

std::size_t strongest_rival(const linalg::GroupedNeighbors& nearest,
                            std::span<const std::size_t> votes, std::size_t positive) {
  std::size_t rival = votes.size();
  double rival_g = 0.0;
  for (std::size_t c = 0; c < votes.size(); ++c) {
    if (c == positive) continue;
    const double g = ranked_output(nearest, contrast_classes(votes, positive, c));
    const bool stronger = rival == votes.size() || votes[c] > votes[rival] ||
                          (votes[c] == votes[rival] && g < rival_g);
    if (stronger) {
      rival = c;
      rival_g = g;
    }
  }
  return rival;
}

Band rank_band(std::size_t rank, std::size_t kappa, std::size_t pool_size) {
  // Compared by differences: a sum with a large kappa would wrap.
  const std::size_t last = rank < pool_size && kappa < pool_size - rank ? rank + kappa : pool_size;
  const std::size_t first = rank > kappa ? rank - kappa : 1;
  return {std::min(first, last), last};
}

}  // namespace bisector::detail
