#include "bisector/train/column_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "bisector/table_encoding.h"

namespace bisector {
namespace {

using Kind = ColumnLook::Kind;

// Below so many rows, values that are all different say nothing.
constexpr std::size_t kFewRows = 10;
// Numbers and text of so few kinds are levels ("2", "3", "5more"); so many texts are none.
constexpr std::size_t kFewValues = 12, kManyTexts = 50;

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

/// "id", "Id", "patient_id", "No.", "index", "Unnamed: 0" and the like.
bool is_identifier_name(const std::string& name) {
  constexpr std::array<std::string_view, 13> kNames{"id",  "ids",   "no",  "no.",   "nr",
                                                    "nr.", "index", "idx", "rowid", "row_id",
                                                    "key", "uuid",  "guid"};
  const std::string lower = lower_case(name);
  if (std::ranges::find(kNames, lower) != kNames.end()) return true;
  const bool is_id_of_something = lower.ends_with("_id") || lower.ends_with(" id") ||
                                  lower.ends_with("-id") || lower.starts_with("id_") ||
                                  (name.ends_with("Id") && name.size() > 2) ||
                                  (name.ends_with("ID") && name.size() > 2);
  return is_id_of_something || lower.starts_with("unnamed: ");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Year, month and day in any of the usual orders, a time perhaps behind them.
bool is_date(std::string_view cell) {
  std::vector<std::size_t> lengths;
  char separator = '\0';
  std::size_t at = 0;
  while (lengths.size() < 3) {
    const std::size_t start = at;
    while (at < cell.size() && is_digit(cell[at])) ++at;
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

/// What there is to count in a column.
struct Counts {
  std::size_t present = 0, numbers = 0, integers = 0, dates = 0;
  std::unordered_set<std::string_view> values;
};

Counts count(std::span<const std::string> cells, ColumnLook& look) {
  Counts counts;
  std::optional<double> last;
  look.counts_rows = !cells.empty();
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const std::string_view cell = trimmed_cell(cells[r]);
    const auto number = parse_number(cell);
    look.counts_rows = look.counts_rows && number && (!last || *number == *last + 1.0);
    last = number;
    if (!number && is_missing(cell)) {
      ++look.missing;
      if (!look.first_missing) look.first_missing = r;
      continue;
    }
    ++counts.present;
    counts.values.insert(cell);
    if (number) {
      ++counts.numbers;
      counts.integers += *number == std::floor(*number);
    } else {
      counts.dates += is_date(cell);
      if (!look.first_text) look.first_text = r;
    }
  }
  look.different = counts.values.size();
  return counts;
}

bool are_levels_declared(const std::vector<std::string>& declared) {
  return std::ranges::any_of(declared,
                             [](const std::string& level) { return !parse_number(level); });
}

Kind kind_of(const std::string& name, const Counts& counts, const ColumnLook& look) {
  if (counts.present == 0) return Kind::empty;
  const bool all_differ = look.different == counts.present && counts.present >= kFewRows;
  const bool has_id_name = is_identifier_name(name);
  if (counts.numbers == counts.present) {
    const bool counts_whole = counts.integers == counts.present && all_differ;
    return has_id_name && counts_whole ? Kind::identifier : Kind::numbers;
  }
  if (counts.dates == counts.present) return Kind::dates;
  if (counts.numbers > 0 && look.different > kFewValues && 2 * counts.numbers >= counts.present)
    return Kind::mixed;
  if (all_differ ||
      (has_id_name && 2 * look.different > counts.present && look.different > kFewRows))
    return Kind::identifier;
  if (look.different > kManyTexts && 2 * look.different > counts.present) return Kind::free_text;
  return Kind::levels;
}

}  // namespace

ColumnLook look_at_column(const std::string& name, std::span<const std::string> cells,
                          const std::vector<std::string>& declared) {
  ColumnLook look;
  const Counts counts = count(cells, look);
  look.kind = are_levels_declared(declared) && counts.present > 0 ? Kind::levels
                                                                  : kind_of(name, counts, look);
  return look;
}

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::numbers:
      return "numbers";
    case Kind::levels:
      return "levels";
    case Kind::identifier:
      return "an identifier";
    case Kind::dates:
      return "dates";
    case Kind::free_text:
      return "free text";
    case Kind::mixed:
      return "numbers and text";
    case Kind::empty:
      break;
  }
  return "empty";
}

}  // namespace bisector
