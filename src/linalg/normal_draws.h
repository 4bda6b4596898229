// Many standard normal draws at once, and seeds for streams of draws that are addressed rather than
// consumed in order.
#pragma once

#include <cstdint>
#include <span>

#include "linalg/random.h"

namespace bisector::linalg {

/// The seed of the stream with address (a, b) under `seed`: neighbouring addresses have unrelated
/// streams.
std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t a, std::uint64_t b);

/// Fills `values` with independent standard normal draws by Marsaglia and Tsang's ziggurat: mostly
/// one number of the engine, a table look-up and a product each, where Random::normal() takes two
/// numbers, a logarithm and a cosine.
void fill_normal(Random& random, std::span<double> values);

}  // namespace bisector::linalg
