// The distinct values of a column of text, in order.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bisector::detail {

struct SortedValues {
  std::vector<std::string> names;     // each once, as the first row has it
  std::vector<std::size_t> position;  // of every row's value
};

/// As numbers where all values are numbers (equal numbers are one value), else as text.
SortedValues sorted_values(std::span<const std::string> values);

}  // namespace bisector::detail
