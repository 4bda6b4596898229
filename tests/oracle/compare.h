// The library's g and relevance against a high-precision oracle: the same in 2048 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "oracle/adversary.h"
#include "oracle/exact_row.h"

namespace bisector::oracle {

/// What was found in one family and one precision.
struct Comparison {
  std::size_t models = 0, rows = 0;
  std::size_t decided = 0;      // rows whose f exceeds its rounding bound
  std::size_t wrong = 0;        // ... and whose g has another sign
  std::size_t unlucky = 0;      // rows within the bound whose g has another sign
  std::size_t plain_wrong = 0;  // decided rows for which a plain sum of f has another sign, or is 0
  std::size_t not_finite = 0;   // rows with a g or relevance that is not finite
  std::size_t determined = 0;   // rows whose relevance is determined: see compare.cpp
  double largest_error = 0.0;   // of these, relative to the row's largest relevance
  double largest_share = 0.0;   // of all: error over its bound
};

/// In double and in single precision.
using Comparisons = std::array<Comparison, 2>;

/// Models of `family` with the seeds from `seed` on.
Comparisons compare(const Family& family, std::size_t models, std::uint64_t seed);

}  // namespace bisector::oracle
