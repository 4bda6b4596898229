// Choosing some of many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bisector::util {

/// At most `limit` of the indices 0 ... rows-1, ascending: all of them, or a draw with `seed`.
std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed);

}  // namespace bisector::util
