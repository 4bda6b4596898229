#include "core/models/votes.h"

#include <algorithm>
#include <cmath>

namespace bisector::detail {

std::vector<double> one_vs_one_votes(std::span<const double> decisions, std::size_t classes) {
  std::vector<double> votes(classes, 0.0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) ++votes[decisions[pair] > 0.0 ? a : b];
  }
  return votes;
}

std::vector<double> class_scores(KernelClassifier::Arrangement arrangement, std::size_t classes,
                                 std::span<const double> decisions) {
  using enum KernelClassifier::Arrangement;
  if (arrangement == one_vs_rest) return {decisions.begin(), decisions.end()};
  std::vector<double> votes = one_vs_one_votes(decisions, classes);
  if (arrangement == one_vs_one) return votes;
  std::vector<double> confidence(classes, 0.0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      confidence[a] += decisions[pair];
      confidence[b] -= decisions[pair];
    }
  }
  for (std::size_t c = 0; c < classes; ++c)
    votes[c] += confidence[c] / (3.0 * (std::abs(confidence[c]) + 1.0));
  return votes;
}

std::size_t winner(std::span<const double> votes) {
  return static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
}

}  // namespace bisector::detail
