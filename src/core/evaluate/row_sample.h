// Choosing some of many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

/// At most `limit` of the indices 0 ... rows-1, ascending: all of them, or a draw with `seed`.
std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed);

/// The chosen rows, in that order.
Matrix gather(MatrixView<const double> rows, std::span<const std::size_t> chosen);

}  // namespace bisector::detail
