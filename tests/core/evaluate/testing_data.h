// Rows to test with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/matrix.h"
#include "bisector/random.h"

namespace bisector {

inline Matrix normal_rows(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Random random(seed);
  Matrix result(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : result.row(r)) value = random.normal();
  }
  return result;
}

/// Two clouds, so that the density has a shape.
inline Matrix two_clouds(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Matrix result = normal_rows(rows, features, seed);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : result.row(r)) value += r % 2 == 0 ? 2.0 : -2.0;
  }
  return result;
}

}  // namespace bisector
