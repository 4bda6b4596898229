// Random orders of features.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Relevance whose order is random in every row.
Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed);

}  // namespace bisector::detail
