#include "io/text/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/number_text.h"
#include "bisector/table_encoding.h"
#include "bisector/text.h"
#include "io/text/text_input.h"

namespace bisector::io {
namespace {

constexpr std::string_view kDigits = "0123456789";

static_assert(detail::kLargestCoordinate == 1e100);
constexpr std::string_view kRange = "expected a number within ±1e100";

/// std::from_chars gives no value for numbers that are too large or too small for a double. A long
/// double, or else the sign of the exponent, tells the two apart.
double out_of_range_number(std::string_view digits) {
#ifdef BISECTOR_FAST_FLOAT
  double value = 0;
  fast_float::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;  // infinite or zero
#else
  long double wide = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), wide);
  if (result.ec == std::errc()) return static_cast<double>(wide);
  const bool is_tiny = digits.find_first_of("eE") != std::string_view::npos &&
                       digits[digits.find_first_of("eE") + 1] == '-';
  return is_tiny ? 0.0 : std::numeric_limits<double>::infinity();
#endif
}

}  // namespace

std::optional<double> padded_cell_number(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = util::from_chars(cell.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? value : out_of_range_number(cell);
}

std::string value_problem(double value) {
  if (std::isnan(value)) return "is nan, expected a finite number";
  if (std::isinf(value)) return fmt::format("is {}, expected a finite number", value);
  return fmt::format("is {}, {}", value, kRange);
}

std::string cell_problem(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.empty()) return "is empty, expected a number";
  const auto value = cell_number(cell);
  if (!value) return fmt::format("is {}, expected a number", shown(cell));
  // "inf" is a word; "1e999" is a number too large for a double.
  const bool is_word = cell.find_first_of(kDigits) == std::string_view::npos;
  if (std::isnan(*value) || is_word) return value_problem(*value);
  return fmt::format("is {}, {}", cell.substr(0, 40), kRange);
}

void refuse_cell(const std::string& source, std::size_t line, const std::string& title,
                 std::string_view cell, const std::string& problem) {
  const FormatError error(source, line, fmt::format("{} {}", title, problem));
  if (is_missing_number(cell)) throw UnusableCell(error);
  throw error;
}

std::string shown(std::string_view text) { return fmt::format("\"{}\"", printed(text)); }

std::string printed(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string copy(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    // Do not cut a character: remove its continuation bytes and its first byte.
    while (!copy.empty() && (static_cast<unsigned char>(copy.back()) & 0xC0) == 0x80)
      copy.pop_back();
    if (!copy.empty() && static_cast<unsigned char>(copy.back()) >= 0xC0) copy.pop_back();
    copy += "...";
  }
  // Messages must be UTF-8, or Python cannot decode them.
  return printable(std::move(copy));
}

std::string column_title(const std::vector<std::string>& names, std::size_t column) {
  if (column >= names.size() || names[column].empty()) return fmt::format("column {}", column + 1);
  return fmt::format("column {}", shown(names[column]));
}

}  // namespace bisector::io
