#include "core/models/vote_weights.h"

#include <algorithm>
#include <vector>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {

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
