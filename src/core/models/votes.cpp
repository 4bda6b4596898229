#include "core/models/votes.h"

#include <algorithm>

namespace bisector::detail {

std::vector<std::size_t> neighbor_votes(const linalg::GroupedNeighbors& nearest, std::size_t k) {
  // Merge the classes' sorted lists k times; the next neighbour is the smallest of their heads.
  std::vector<std::size_t> votes(nearest.size(), 0);
  for (std::size_t taken = 0; taken < k; ++taken) {
    std::size_t best = nearest.size();
    for (std::size_t c = 0; c < nearest.size(); ++c) {
      if (votes[c] == nearest[c].size()) continue;
      if (best == nearest.size() || nearest[c][votes[c]] < nearest[best][votes[best]]) best = c;
    }
    ++votes[best];
  }
  return votes;
}

std::vector<std::size_t> one_vs_one_votes(std::span<const double> decisions, std::size_t classes) {
  std::vector<std::size_t> votes(classes, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) ++votes[decisions[pair] > 0.0 ? a : b];
  }
  return votes;
}

std::size_t winner(std::span<const std::size_t> votes) {
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

}  // namespace bisector::detail
