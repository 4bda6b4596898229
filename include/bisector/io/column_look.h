// The kind of a table's column, detected from its name and its cells.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/number_text.h"

namespace bisector {

struct ColumnLook {
  enum class Kind {
    numbers,     // every cell is a number (see read_number_text) or missing
    levels,      // few different texts, yes and no, or declared by the file
    identifier,  // a different value in every row: text, or integers with a name such as "id"
    dates,       // dates that cannot be read as numbers
    free_text,   // too many different texts for levels
    mixed,       // mostly numbers, and some text
    empty        // no value in any row
  };

  Kind kind = Kind::numbers;
  NumberFormat format = NumberFormat::plain;  // the first format other than plain
  std::size_t missing = 0;                    // cells without a value
  std::optional<std::size_t> first_missing;   // row, counted from zero
  std::size_t different = 0;                  // different values, without missing ones
  std::optional<std::size_t> first_text;      // row of the first cell that is not a number
  std::optional<std::size_t> first_format;    // row of the first cell of `format`
  DateOrder dates = DateOrder::unknown;       // of dates with slashes
  std::optional<std::size_t> unclear_date;    // row of one, if no day is above 12
  std::string_view unit = {};                 // of the first number that has one, such as "%"
  std::optional<std::size_t> first_unit;      // row of that number
  std::optional<std::size_t>
      other_unit;            // row of a number of another unit, or a date of another order
  bool counts_rows = false;  // integers, one more in every row
  bool is_code = false;      // digits with leading zeros, such as postal codes
};

/// The most levels that a column may have.
inline constexpr std::size_t kMaxLevels = 1000;

/// `name` may be empty. `dates` is the order of dates with slashes if no day is above 12.
BISECTOR_EXPORT ColumnLook look_at_column(const std::string& name,
                                          std::span<const std::string> cells,
                                          DateOrder dates = DateOrder::unknown);

/// "numbers", "levels" and so on.
BISECTOR_EXPORT std::string kind_name(ColumnLook::Kind kind);

}  // namespace bisector
