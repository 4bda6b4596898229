// Cells as numbers, and the error messages for other cells, shared by all readers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/models/checks.h"
#include "core/util/numbers.h"

namespace bisector::io {

/// The characters between words and around cells.
inline constexpr std::string_view kBlanks = " \t";

/// cell_number() for cells that are not plain numbers.
std::optional<double> padded_cell_number(std::string_view cell);

/// The whole cell as a number, with surrounding blanks or a leading '+'; nothing if it is not one.
/// A number too large for a double becomes infinite, a number too small becomes zero.
inline std::optional<double> cell_number(std::string_view cell) {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = util::from_chars(cell.data(), end, value);
  if (stop == end && error == std::errc()) return value;
  return padded_cell_number(cell);
}

/// False for NaN, infinity and numbers beyond the limit.
inline bool is_usable(double value) { return std::abs(value) <= detail::kLargestCoordinate; }

/// The message for a value that is not usable: "is nan, expected a finite number".
std::string value_problem(double value);
/// The message for text: "is \"n/a\", expected a number".
std::string cell_problem(std::string_view cell);

/// Throws FormatError, or UnusableCell for a missing value, which a policy can handle.
[[noreturn]] void refuse_cell(const std::string& source, std::size_t line, const std::string& title,
                              std::string_view cell, const std::string& problem);

/// The text in quotation marks, shortened to one line.
std::string shown(std::string_view text);
/// The text shortened to one line, without quotation marks.
std::string printed(std::string_view text);

/// "column \"pH\"", or "column 9" if it has no name.
std::string column_title(const std::vector<std::string>& names, std::size_t column);

}  // namespace bisector::io
