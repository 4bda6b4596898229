#include "core/linalg/soft_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {
namespace {

/// Several running minima side by side, which the compiler can keep in vector registers.
double smallest(std::span<const double> values) {
  std::array<double, 8> lanes;
  lanes.fill(std::numeric_limits<double>::infinity());
  std::size_t n = 0;
  for (; n + lanes.size() <= values.size(); n += lanes.size()) {
    for (std::size_t l = 0; l < lanes.size(); ++l)
      lanes[l] = values[n + l] < lanes[l] ? values[n + l] : lanes[l];
  }
  for (; n < values.size(); ++n) lanes[0] = std::min(lanes[0], values[n]);
  return *std::min_element(lanes.begin(), lanes.end());
}

}  // namespace

double WeightSum::log_sum(double scale) const { return std::log(sum) - scale * nearest; }

WeightSum soft_weights(std::span<const double> squared_distances, double scale,
                       AlignedVector<double>& weights) {
  const std::size_t count = squared_distances.size();
  const double nearest = smallest(squared_distances);
  weights.resize(round_up(count, PackedMatrix<double>::kWidth));
  // The difference first: it is exact for the nearest, and an overflow behind it is a weight of 0.
  for (std::size_t n = 0; n < count; ++n) weights[n] = scale * (nearest - squared_distances[n]);
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(count), weights.end(),
            std::numeric_limits<double>::lowest());
  return {nearest, simd::kernels<double>().exp_and_sum(weights.data(), 0.0, weights.size())};
}

}  // namespace bisector::linalg
