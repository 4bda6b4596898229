#include "core/evaluate/random_relevance.h"

#include <random>

namespace bisector::detail {

Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Matrix relevance(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : relevance.row(r)) value = static_cast<double>(engine() >> 11);
  }
  return relevance;
}

}  // namespace bisector::detail
