#include "core/models/votes.h"

#include <algorithm>

namespace bisector::detail {

std::vector<double> one_vs_one_votes(std::span<const double> decisions, std::size_t classes) {
  std::vector<double> votes(classes, 0.0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) ++votes[decisions[pair] > 0.0 ? a : b];
  }
  return votes;
}

std::size_t winner(std::span<const double> votes) {
  return static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
}

}  // namespace bisector::detail
