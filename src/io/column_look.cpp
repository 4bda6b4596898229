#include "bisector/io/column_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "bisector/table_encoding.h"
#include "core/util/ascii.h"

namespace bisector {
namespace {

using Look = ColumnLook::Kind;

// With fewer rows, values that are all different do not make an identifier.
constexpr std::size_t kFewRows = 10;
// Up to kFewValues different numbers and texts are levels ("2", "3", "5more"); more than
// kManyTexts different texts are free text.
constexpr std::size_t kFewValues = 12, kManyTexts = 50;

/// "id", "Id", "patient_id", "No.", "index", "Unnamed: 0" and the like.
bool is_identifier_name(const std::string& name) {
  constexpr std::array<std::string_view, 13> kNames{"id",  "ids",   "no",  "no.",   "nr",
                                                    "nr.", "index", "idx", "rowid", "row_id",
                                                    "key", "uuid",  "guid"};
  const std::string lower = util::lower_case(name);
  if (std::ranges::find(kNames, lower) != kNames.end()) return true;
  const bool is_id_of_something = lower.ends_with("_id") || lower.ends_with(" id") ||
                                  lower.ends_with("-id") || lower.starts_with("id_") ||
                                  (name.ends_with("Id") && name.size() > 2) ||
                                  (name.ends_with("ID") && name.size() > 2);
  return is_id_of_something || lower.starts_with("unnamed: ");
}

/// Year, month and day in any of the usual orders, with or without a time.
bool is_date(std::string_view cell) {
  std::vector<std::size_t> lengths;
  char separator = '\0';
  std::size_t at = 0;
  while (lengths.size() < 3) {
    const std::size_t start = at;
    while (at < cell.size() && util::is_digit(cell[at])) ++at;
    if (at == start) return false;
    lengths.push_back(at - start);
    if (lengths.size() == 3) break;
    if (at == cell.size() || std::string_view("-/.").find(cell[at]) == std::string_view::npos)
      return false;
    if (separator != '\0' && cell[at] != separator) return false;
    separator = cell[at++];
  }
  const bool has_year =
      (lengths[0] == 4 && lengths[1] <= 2 && lengths[2] <= 2) ||
      (lengths[0] <= 2 && lengths[1] <= 2 && (lengths[2] == 4 || lengths[2] == 2));
  return has_year && (at == cell.size() || cell[at] == ' ' || cell[at] == 'T');
}

/// "01234": digits that begin with a zero.
bool is_padded(std::string_view cell) {
  return cell.size() > 2 && cell[0] == '0' && std::ranges::all_of(cell, util::is_digit);
}

/// Codes have one length, and some begin with a zero.
bool are_codes(std::span<const std::string> cells) {
  std::size_t length = 0;
  bool has_padded = false;
  for (const std::string& text : cells) {
    const std::string_view cell = trimmed_cell(text);
    if (is_missing(cell)) continue;
    if (!std::ranges::all_of(cell, util::is_digit) || (length != 0 && cell.size() != length))
      return false;
    length = cell.size();
    has_padded = has_padded || is_padded(cell);
  }
  return has_padded;
}

struct Counts {
  std::size_t present = 0, numbers = 0, integers = 0, dates = 0;
  std::size_t marks = 0;  // texts that mark a missing number, such as "-"
  std::optional<std::size_t> first_mark;
  std::optional<std::size_t> first_plain;  // a number without a unit
  bool has_decimal_point = false, has_decimal_comma = false;
  std::unordered_set<std::string_view> values;

  void add_number(const NumberText& number, std::size_t row, ColumnLook& look) {
    ++numbers;
    integers += number.value == std::floor(number.value);
    has_decimal_point = has_decimal_point || number.decimal == '.';
    has_decimal_comma = has_decimal_comma || number.decimal == ',';
    add_unit(number, row, look);
    if (number.format == NumberFormat::plain || look.first_format) return;
    look.format = number.format;
    look.first_format = row;
  }

  /// Percentages and fractions, or two currencies, in one column are not comparable.
  void add_unit(const NumberText& number, std::size_t row, ColumnLook& look) {
    if (number.unit.empty()) {
      if (!first_plain) first_plain = row;
    } else if (!look.first_unit) {
      look.unit = number.unit;
      look.first_unit = row;
    } else if (number.unit != look.unit && !look.other_unit) {
      look.other_unit = row;
    }
    if (look.unit == "%" && first_plain && !look.other_unit) look.other_unit = first_plain;
  }
};

/// Sets the order of dates with slashes, which is that of all cells.
void find_date_order(std::span<const std::string> cells, DateOrder given, ColumnLook& look) {
  std::optional<std::size_t> first, month_first, day_first;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const auto date = read_slash_date(cells[r]);
    if (!date) continue;
    if (!first && date->first != date->second) first = r;
    if (date->order() == DateOrder::month_first && !month_first) month_first = r;
    if (date->order() == DateOrder::day_first && !day_first) day_first = r;
  }
  if (month_first && day_first) {
    look.first_unit = month_first;
    look.other_unit = day_first;
  } else if (month_first || day_first) {
    look.dates = day_first ? DateOrder::day_first : DateOrder::month_first;
  } else if (first) {
    if (given == DateOrder::unknown) look.unclear_date = first;
    look.dates = given == DateOrder::unknown ? DateOrder::month_first : given;
  }
}

Counts count(std::span<const std::string> cells, DateOrder dates, ColumnLook& look) {
  Counts counts;
  find_date_order(cells, dates, look);
  std::optional<double> last;
  look.is_code = are_codes(cells);
  look.counts_rows = !cells.empty();
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const std::string_view cell = trimmed_cell(cells[r]);
    const auto number = read_number_text(cell, look.dates);
    const bool is_number = number.has_value() && !look.is_code;
    look.counts_rows = look.counts_rows && is_number && number->format == NumberFormat::plain &&
                       (!last || number->value == *last + 1.0);
    last = is_number ? std::optional(number->value) : std::nullopt;
    if (!is_number && is_missing(cell)) {
      ++look.missing;
      if (!look.first_missing) look.first_missing = r;
      continue;
    }
    ++counts.present;
    counts.values.insert(cell);
    counts.dates += is_date(cell);
    if (is_number)
      counts.add_number(*number, r, look);
    else if (!look.first_text)
      look.first_text = r;
    if (!is_number && is_missing_number(cell) && counts.marks++ == 0) counts.first_mark = r;
  }
  look.different = counts.values.size();
  return counts;
}

/// True if the column would be refused, because it has text among its numbers.
bool is_mixed(const Counts& counts, const ColumnLook& look) {
  return counts.numbers > 0 && look.different > kFewValues && 2 * counts.numbers >= counts.present;
}

/// If all text of a column of numbers marks missing values, these cells are missing.
void take_marks_as_missing(Counts& counts, ColumnLook& look) {
  if (counts.marks == 0 || counts.numbers + counts.marks < counts.present ||
      !is_mixed(counts, look))
    return;
  counts.present -= counts.marks;
  look.different -= std::erase_if(counts.values, is_missing_number);
  look.missing += counts.marks;
  look.first_missing =
      std::min(look.first_missing.value_or(*counts.first_mark), *counts.first_mark);
  look.first_text.reset();
}

Look kind_of(const std::string& name, const Counts& counts, const ColumnLook& look) {
  if (counts.present == 0) return Look::empty;
  const bool all_differ = look.different == counts.present && counts.present >= kFewRows;
  const bool has_id_name = is_identifier_name(name);
  // "1,234" and "12,5" in one column: a comma cannot both group and be decimal.
  if (counts.numbers == counts.present && counts.has_decimal_point && counts.has_decimal_comma)
    return Look::mixed;
  if (counts.numbers == counts.present) {
    const bool counts_whole = counts.integers == counts.present && all_differ;
    return has_id_name && counts_whole ? Look::identifier : Look::numbers;
  }
  if (counts.dates == counts.present) return Look::dates;
  if (look.is_code && !has_id_name && look.different <= kMaxLevels) return Look::levels;
  if (is_mixed(counts, look)) return Look::mixed;
  if (all_differ ||
      (has_id_name && 2 * look.different > counts.present && look.different > kFewRows))
    return Look::identifier;
  if (look.different > kManyTexts && 2 * look.different > counts.present) return Look::free_text;
  return Look::levels;
}

}  // namespace

ColumnLook look_at_column(const std::string& name, std::span<const std::string> cells,
                          DateOrder dates) {
  ColumnLook look;
  Counts counts = count(cells, dates, look);
  take_marks_as_missing(counts, look);
  look.kind = kind_of(name, counts, look);
  return look;
}

std::string kind_name(Look kind) {
  switch (kind) {
    case Look::numbers:
      return "numbers";
    case Look::levels:
      return "levels";
    case Look::identifier:
      return "an identifier";
    case Look::dates:
      return "dates";
    case Look::free_text:
      return "free text";
    case Look::mixed:
      return "numbers and text";
    case Look::empty:
      break;
  }
  return "empty";
}

}  // namespace bisector
