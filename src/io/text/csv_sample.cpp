#include "io/text/csv_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>

#include "bisector/error.h"
#include "bisector/io/number_text.h"
#include "bisector/table_encoding.h"
#include "core/util/ascii.h"
#include "io/common/memory_source.h"
#include "io/text/cells.h"
#include "io/text/csv_records.h"

namespace bisector::io {
namespace {

constexpr std::array kDelimiters{',', ';', '\t', '|'};  // the earlier wins a tie

std::array<std::size_t, kDelimiters.size()> delimiter_counts(std::string_view row) {
  std::array<std::size_t, kDelimiters.size()> counts{};
  bool is_quoted = false;
  for (const char c : row) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    for (std::size_t i = 0; i < kDelimiters.size(); ++i) counts[i] += c == kDelimiters[i];
  }
  return counts;
}

/// R writes row names as an additional cell in every row except the first.
bool is_rectangular(const SampleRows& rows) {
  if (rows.size() < 2 || rows.front().size() < 2) return rows.size() == 1;
  const std::size_t cells = rows[1].size();
  return (rows[0].size() == cells || rows[0].size() + 1 == cells) &&
         std::ranges::all_of(rows.begin() + 1, rows.end(),
                             [&](const auto& row) { return row.size() == cells; });
}

/// "1,5;2,5" is two numbers, not three.
bool is_cut_by_semicolons(const SampleRows& rows) {
  return is_rectangular(rows) && rows.front().size() > 1 &&
         std::ranges::any_of(rows, [](const auto& row) {
           return std::ranges::any_of(row, [](const auto& cell) { return is_decimal_comma(cell); });
         });
}

bool is_number(const std::string& cell) {
  return cell_number(cell).has_value() || is_decimal_comma(cell) || parse_number_text(cell) ||
         read_slash_date(cell);
}

bool is_text(const std::string& cell) { return !is_number(cell) && !is_missing_number(cell); }

/// True if at least half of the column's values in the sample are numbers.
bool is_number_column(const SampleRows& below, std::size_t column) {
  std::size_t numbers = 0, others = 0;
  for (const auto& row : below) {
    if (column >= row.size() || is_missing_number(row[column])) continue;
    ++(is_number(row[column]) ? numbers : others);
  }
  return numbers > 0 && numbers >= others;
}

std::set<std::string> values_of(const SampleRows& below, std::size_t column) {
  std::set<std::string> values;
  for (const auto& row : below) {
    if (column < row.size()) values.insert(row[column]);
  }
  return values;
}

bool has_repeats(const std::vector<std::string>& cells) {
  return std::set<std::string>(cells.begin(), cells.end()).size() < cells.size();
}

/// True if all numbers among the cells are ascending integers from zero up: years and counts may be
/// names, measurements are not.
bool are_numbers_like_names(const std::vector<std::string>& cells) {
  double last = -1.0;
  for (const auto& cell : cells) {
    if (!is_number(cell)) continue;
    const bool is_plain = std::ranges::all_of(cell, util::is_digit);
    const auto value = cell_number(cell);
    if (!is_plain || !(*value > last)) return false;
    last = *value;
  }
  return true;
}

/// True if 0, 1, 2, ... could be a row of this table: integers within the range of each column.
bool fits_as_data(const SampleRows& below, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) {
    const auto own = static_cast<double>(c);
    bool has_lower = false, has_higher = false;
    for (const auto& row : below) {
      const auto value = c < row.size() ? cell_number(row[c]) : std::nullopt;
      if (!value) continue;
      if (*value != std::floor(*value)) return false;
      has_lower = has_lower || *value <= own;
      has_higher = has_higher || *value >= own;
    }
    if (!below.empty() && !(has_lower && has_higher)) return false;
  }
  return true;
}

using Words = std::unordered_set<std::string_view>;

bool names_a_known_column(const std::vector<std::string>& first, const DataFormat& format) {
  const Words own(first.begin(), first.end());
  const Words known_names(format.known_names.begin(), format.known_names.end());
  const auto is_there = [&](const std::string& name) { return own.contains(name); };
  // Names may be numbers; a single one is no evidence.
  const std::size_t known = format.known_names.size();
  const bool has_text = std::ranges::any_of(first, is_text);
  if ((known > 2 || (known == 2 && has_text)) && std::ranges::all_of(format.known_names, is_there))
    return true;
  return std::ranges::any_of(first, [&](const std::string& cell) {
    return !cell.empty() && !is_number(cell) && known_names.contains(cell);
  });
}

bool has_a_known_level(const std::vector<std::string>& first, const DataFormat& format) {
  const Words levels(format.known_levels.begin(), format.known_levels.end());
  return std::ranges::any_of(
      first, [&](const std::string& cell) { return is_text(cell) && levels.contains(cell); });
}

/// True if text is above a column of numbers.
bool has_text_above_numbers(const std::vector<std::string>& first, const SampleRows& below) {
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (is_text(first[c]) && is_number_column(below, c)) return true;
  }
  return false;
}

/// True if text of the first row occurs in the same column again.
bool comes_again(const std::vector<std::string>& first, const SampleRows& below) {
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (is_text(first[c]) && values_of(below, c).contains(first[c])) return true;
  }
  return false;
}

/// For a table without numbers: levels occur again, names do not.
HeaderReading read_text_table(const std::vector<std::string>& first, const SampleRows& below) {
  if (below.empty()) return {true, ""};
  bool has_levels = false;
  for (std::size_t c = 0; c < first.size(); ++c)
    has_levels = has_levels || values_of(below, c).size() * 2 <= below.size();
  if (comes_again(first, below)) return {false, "its values occur again below"};
  if (has_repeats(first)) return {false, "it has the same word twice"};
  if (has_levels) return {true, ""};
  return {false, "all cells are text, and no value occurs twice"};
}

}  // namespace

SampleRows sample_rows(std::string_view head, bool is_all, char delimiter) {
  if (!is_all) head = head.substr(0, head.rfind('\n') + 1);
  SampleRows rows;
  CsvRecords records(TextInput(std::make_unique<MemorySource>("sample", std::string(head))),
                     delimiter, true);
  try {
    while (rows.size() < kSampleRows && records.next())
      rows.emplace_back(records.cells().begin(), records.cells().end());
  } catch (const FormatError&) {
    // The reader of the row reports what is wrong with it, and where.
  }
  return rows;
}

char sniff_delimiter(std::string_view first_row) {
  const auto counts = delimiter_counts(first_row);
  const auto most = std::ranges::max_element(counts);
  return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

char choose_delimiter(std::string_view first_row, std::string_view head, bool is_all) {
  const auto counts = delimiter_counts(first_row);
  if (counts[0] > 0 && counts[1] > 0 && is_cut_by_semicolons(sample_rows(head, is_all, ';')))
    return ';';
  const char most = sniff_delimiter(first_row);
  if (is_rectangular(sample_rows(head, is_all, most)) && counts != decltype(counts){}) return most;
  std::array<std::size_t, kDelimiters.size()> order{0, 1, 2, 3};
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return counts[i]; });
  for (const std::size_t i : order) {
    if (counts[i] > 0 && is_rectangular(sample_rows(head, is_all, kDelimiters[i])))
      return kDelimiters[i];
  }
  const SampleRows words = sample_rows(head, is_all, ' ');
  const bool are_words = counts == decltype(counts){} && words.size() > 1 && is_rectangular(words);
  return are_words ? ' ' : most;
}

HeaderReading read_header(const std::vector<std::string>& first, const SampleRows& below,
                          const DataFormat& format) {
  using Header = DataFormat::Header;
  if (format.header != Header::automatic) return {format.header == Header::yes, ""};
  if (names_a_known_column(first, format)) return {true, ""};
  const bool has_number = std::ranges::any_of(first, is_number);
  const bool has_text = std::ranges::any_of(first, [](const auto& c) { return is_text(c); });
  if (is_counting(first)) {
    if (!fits_as_data(below, first.size())) return {true, ""};
    return {false, "it numbers the columns, but could be a row like the others"};
  }
  if (!has_text) return {false, ""};
  if (!has_number && has_text_above_numbers(first, below)) return {true, ""};
  if (has_a_known_level(first, format)) return {false, "its text is a level of the model"};
  if (!has_number) return read_text_table(first, below);
  if (!are_numbers_like_names(first) || comes_again(first, below)) return {false, ""};
  if (has_text_above_numbers(first, below))
    return {true, "it has numbers in it, but text above columns of numbers"};
  return {false, "it could be names, but also a row like the others"};
}

bool is_plainly_data(const std::vector<std::string>& first) {
  return std::ranges::none_of(first, [](const auto& cell) { return is_text(cell); }) &&
         !is_counting(first);
}

bool is_counting(const std::vector<std::string>& cells) {
  // Two columns, or numbers from one, may be a row of data.
  if (cells.size() < 3) return false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != fmt::format_int(i).c_str()) return false;
  }
  return true;
}

bool has_row_names(const std::vector<std::string>& header, const SampleRows& below) {
  return below.size() > 1 && std::ranges::all_of(below, [&](const auto& row) {
           return row.size() == header.size() + 1;
         });
}

bool is_decimal_comma(std::string_view cell) {
  if (!cell.empty() && (cell[0] == '-' || cell[0] == '+')) cell.remove_prefix(1);
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos) return false;
  const std::string_view whole = cell.substr(0, comma);
  std::string_view fraction = cell.substr(comma + 1);
  const std::size_t exponent = fraction.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    if (!cell_number(fmt::format("1{}", fraction.substr(exponent)))) return false;
    fraction = fraction.substr(0, exponent);
  }
  if (fraction.empty() || !std::ranges::all_of(fraction, util::is_digit)) return false;
  // Points may separate thousands.
  std::size_t digits = 0;
  bool has_point = false;
  for (const char c : whole) {
    if (c == '.') {
      if (digits == 0 || digits > 3 || (has_point && digits != 3)) return false;
      has_point = true;
      digits = 0;
    } else if (util::is_digit(c)) {
      ++digits;
    } else {
      return false;
    }
  }
  return digits > 0 && (!has_point || digits == 3);
}

}  // namespace bisector::io
