// The distinct values of a text column in sorted order.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bisector::detail {

struct SortedValues {
  std::vector<std::string> names;     // each once, as it occurs first
  std::vector<std::size_t> position;  // the position of every row's value
};

/// Sorted as numbers if all values are numbers (equal numbers are one value), otherwise as text.
SortedValues sorted_values(std::span<const std::string> values);

}  // namespace bisector::detail
