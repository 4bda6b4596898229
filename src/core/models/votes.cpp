#include "core/models/votes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

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

double sum_of_one_place(const SharedMatrix& points, const Distance& distance) {
  constexpr std::size_t kPairs = 16;
  constexpr double kPart = 1e-9;
  const std::size_t count = std::min(points.rows(), kPairs + 1);
  std::vector<double> sums;  // of different points
  std::vector<double> buffers[2];
  for (std::size_t n = 0; n + 1 < count; ++n) {
    const auto a = points.row(n * points.rows() / count, buffers[0]);
    const auto b = points.row((n + 1) * points.rows() / count, buffers[1]);
    const double sum = distance.is_euclidean() ? linalg::squared_distance(a, b)
                                               : linalg::RowDistance(distance, a).sum(b.data());
    if (sum > 0.0) sums.push_back(sum);
  }
  if (sums.empty()) return 0.0;
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
  std::nth_element(sums.begin(), middle, sums.end());
  return distance.sum(kPart * distance.length(*middle));
}

}  // namespace bisector::detail
