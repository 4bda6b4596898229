// Many standard normal draws at once.
#pragma once

#include <span>

#include "bisector/random.h"

namespace bisector::util {

/// Fills `values` with independent standard normal draws by Marsaglia and Tsang's ziggurat: mostly
/// one number of the engine, a table look-up and a product each, where Random::normal() takes two
/// numbers, a logarithm and a cosine.
void fill_normal(Random& random, std::span<double> values);

}  // namespace bisector::util
