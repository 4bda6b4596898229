// Orders by chance.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Whose order is a random one in every row.
Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed);

}  // namespace bisector::detail
