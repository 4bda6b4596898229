// Cells as numbers, and the words for the ones that are none: every reader of data says the same.
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

/// What parts words and surrounds cells.
inline constexpr std::string_view kBlanks = " \t";

/// As cell_number(), for cells that are more, or less, than a plain number.
std::optional<double> padded_cell_number(std::string_view cell);

/// The whole cell as a number, with blanks around it or a leading '+'; nothing where it is none.
/// What a double cannot hold comes back as infinite, or as zero where it is too small.
inline std::optional<double> cell_number(std::string_view cell) {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = util::from_chars(cell.data(), end, value);
  if (stop == end && error == std::errc()) return value;
  return padded_cell_number(cell);
}

/// False for NaN, too.
inline bool is_usable(double value) { return std::abs(value) <= detail::kLargestCoordinate; }

/// Why a value that is not usable is refused: "is nan, expected a finite number".
std::string value_problem(double value);
/// The same for text: "is \"n/a\", expected a number".
std::string cell_problem(std::string_view cell);

/// Throws FormatError; UnusableCell, which a policy may forgive, for one that stands for no value.
[[noreturn]] void refuse_cell(const std::string& source, std::size_t line, const std::string& title,
                              std::string_view cell, const std::string& problem);

/// The text in quotation marks, shortened and in one line.
std::string shown(std::string_view text);
/// The same without quotation marks, for names that stand in a place of their own.
std::string printed(std::string_view text);

/// "column \"pH\"", or "column 9" where it has no name.
std::string column_title(const std::vector<std::string>& names, std::size_t column);

}  // namespace bisector::io
