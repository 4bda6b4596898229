// The sum of some numbers.
#pragma once

#include <numeric>
#include <span>

namespace bisector {

inline double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace bisector
