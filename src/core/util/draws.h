// Choosing some of many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/random.h"

namespace bisector::util {

/// At most `limit` of the indices 0 ... rows-1, ascending: all of them, or a draw with `seed`.
std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed);

// Many standard normal draws at once.

/// Fills `values` with independent standard normal draws by Marsaglia and Tsang's ziggurat: mostly
/// one number of the engine, a table look-up and a product each, where Random::normal() takes two
/// numbers, a logarithm and a cosine.
void fill_normal(Random& random, std::span<double> values);

}  // namespace bisector::util
