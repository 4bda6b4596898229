// Numbers as people write them in tables: amounts of money, percentages, groups of thousands, and
// dates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/table_encoding.h"

namespace bisector {

enum class NumberFormat {
  plain,    // 1234.5
  grouped,  // 1,234.50 or 1.234,5 or 1 234
  money,    // $1,234.50 or 1.234,50 €
  percent,  // 89.1 %
  date      // 2024-01-31, 31.1.2024, 1/31/2024, with a time or without
};

struct NumberText {
  double value = 0.0;  // a percentage in percent, a date in days since 1970-01-01
  NumberFormat format = NumberFormat::plain;
  char decimal = '\0';         // the decimal separator, if the text shows which one it is
  std::string_view unit = {};  // "%", or the sign of a currency: "$" for USD
};

/// The order of a date with slashes and the year last.
enum class DateOrder { unknown, month_first, day_first };
/// "month/day/year", as ColumnEncoding::format has it; empty for unknown.
BISECTOR_EXPORT std::string_view format_of(DateOrder order);

/// The first two numbers of a date such as 1/31/2024.
struct BISECTOR_EXPORT SlashDate {
  int first = 0, second = 0;
  /// What the numbers show: one above 12 is the day.
  DateOrder order() const;
};
BISECTOR_EXPORT std::optional<SlashDate> read_slash_date(std::string_view cell);

/// Reads the whole cell as a number of any of these formats; blanks around it are ignored. A single
/// comma with exactly three digits after it groups thousands; a single point is the decimal point.
/// A date with slashes is no number if it could be read in two ways and `order` is unknown.
BISECTOR_EXPORT std::optional<NumberText> read_number_text(std::string_view cell,
                                                           DateOrder order = DateOrder::unknown);

/// The value of read_number_text().
BISECTOR_EXPORT std::optional<double> parse_number_text(std::string_view cell);

/// True for a cell of a numeric column without a value: what is_missing() knows, and "-", "--",
/// ".",
/// "*", "none", "unknown", "missing" and "n.a.", which may be levels of a column of text.
BISECTOR_EXPORT bool is_missing_number(std::string_view cell);

/// Writes the formatted numbers of a numeric column as plain numbers, which TableEncoding reads,
/// and its marks of missing numbers as empty cells. Other text stays, also a number of another
/// format than the column's (see ColumnEncoding::format).
BISECTOR_EXPORT void make_numbers_plain(std::vector<std::string>& cells,
                                        std::string_view format = {});
/// The row of the first plain number in a column of percentages or dates, which would be misread.
BISECTOR_EXPORT std::optional<std::size_t> find_misread_number(
    const ColumnEncoding& column, const std::vector<std::string>& cells);
/// make_numbers_plain() for all numeric columns of a table.
BISECTOR_EXPORT void make_numbers_plain(const std::vector<ColumnEncoding>& columns,
                                        TextColumns& cells);

}  // namespace bisector
