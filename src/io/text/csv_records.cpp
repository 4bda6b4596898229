#include "io/text/csv_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "bisector/error.h"
#include "io/text/cells.h"
#include "io/text/csv_sample.h"

namespace bisector::io {
namespace {

constexpr std::string_view kAnyDelimiter = ",;\t|";

bool contains(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

/// True for a line without cells. A tab may be the delimiter of two empty cells.
bool is_blank_line(std::string_view line, char delimiter) {
  line = without_line_end(line);
  return std::ranges::all_of(line,
                             [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); });
}

struct RowExtent {
  std::size_t bytes, lines;
};

/// The size of the row at the start of pending(), which may have several lines.
RowExtent row_extent(TextInput& input, std::string_view delimiters) {
  std::size_t end = input.line_end();
  std::size_t lines = 1;
  // Most rows have no quotes and end with their line.
  if (!contains(input.pending_text().substr(0, end), '"')) return {end, lines};
  QuoteTracker quotes(delimiters);
  std::size_t from = 0;
  while (quotes.is_open_after(input.pending_text().substr(from, end - from))) {
    from = end;
    end = input.line_end(from);
    if (end == from)
      throw FormatError(input.source(), input.line(),
                        "a quote is not closed: delete it, or add the closing quote");
    ++lines;
  }
  return {end, lines};
}

}  // namespace

bool QuoteTracker::is_open_after(std::string_view piece) {
  for (const char c : piece) place_ = after(c);
  return place_ == Place::quoted;
}

QuoteTracker::Place QuoteTracker::after(char c) const {
  if (place_ == Place::quoted) return c == '"' ? Place::quote_in_quoted : Place::quoted;
  if (place_ == Place::quote_in_quoted && c == '"') return Place::quoted;
  if (contains(delimiters_, c)) return Place::cell_start;
  if (place_ == Place::cell_start && c == '"') return Place::quoted;
  return place_ == Place::cell_start && is_blank(c) ? Place::cell_start : Place::plain;
}

CsvRecords::CsvRecords(TextInput input, char delimiter, bool as_they_stand)
    : input_(std::move(input)), delimiter_(delimiter), as_they_stand_(as_they_stand) {}

/// Leaves the current row and finds the extent of the next one; false at the end.
bool CsvRecords::find_row() {
  leave_row();
  while (true) {
    const auto [bytes, lines] = row_extent(input_, {&delimiter_, 1});
    if (bytes == 0) return false;
    row_bytes_ = bytes;
    row_lines_ = lines;
    line_ = input_.line();
    const std::string_view row = input_.pending_text().substr(0, bytes);
    if (!is_blank_line(row, delimiter_)) return true;
    leave_row();
  }
}

bool CsvRecords::skip() { return std::exchange(is_held_, false) || find_row(); }

bool CsvRecords::next() {
  if (std::exchange(is_held_, false)) return true;
  if (!find_row()) return false;
  const std::string_view row = without_line_end(input_.pending_text().substr(0, row_bytes_));
  split(input_.pending().first(row.size()), contains(row, '"'));
  return true;
}

void CsvRecords::leave_row() {
  input_.skip(std::exchange(row_bytes_, 0), std::exchange(row_lines_, 0));
}

void CsvRecords::split(std::span<char> row, bool has_quotes) {
  cells_.clear();
  if (delimiter_ == ' ')
    split_words(row);
  else if (has_quotes)
    split_quoted(row);
  else
    split_plain({row.data(), row.size()});
  if (delimiter_ != ',' && !as_they_stand_ && contains({row.data(), row.size()}, ','))
    make_decimal_points(row);
}

/// "1.234,5" becomes "1234.5" in place, because from_chars reads decimal points only.
void CsvRecords::make_decimal_points(std::span<char> row) {
  for (std::string_view& cell : cells_) {
    if (!is_decimal_comma(cell)) continue;
    char* const start = row.data() + (cell.data() - row.data());
    std::size_t length = 0;
    for (const char c : cell) {
      if (c != '.') start[length++] = c == ',' ? '.' : c;
    }
    cell = {start, length};
  }
}

/// Cells are separated by any number of blanks and tabs.
void CsvRecords::split_words(std::span<char> row) {
  for (std::size_t at = 0; at < row.size();) {
    if (is_blank(row[at])) {
      ++at;
    } else if (row[at] == '"') {
      cells_.push_back(quoted_cell(row, at));
    } else {
      const std::size_t start = at;
      while (at < row.size() && !is_blank(row[at])) ++at;
      cells_.push_back({row.data() + start, at - start});
    }
  }
}

// A plain loop is faster than memchr() for cells of a few characters.
void CsvRecords::split_plain(std::string_view row) {
  const char* start = row.data();
  const char* const end = start + row.size();
  for (const char* at = start; at != end; ++at) {
    if (*at != delimiter_) continue;
    cells_.push_back(trimmed({start, at}));
    start = at + 1;
  }
  cells_.push_back(trimmed({start, end}));
}

void CsvRecords::split_quoted(std::span<char> row) {
  std::size_t at = 0;
  while (true) {
    std::size_t start = at;
    while (start < row.size() && row[start] != delimiter_ && is_blank(row[start])) ++start;
    if (start < row.size() && row[start] == '"') {
      at = start;
      cells_.push_back(quoted_cell(row, at));
    } else {
      while (at < row.size() && row[at] != delimiter_) ++at;
      cells_.push_back(trimmed({row.data() + start, at - start}));
    }
    if (at == row.size()) return;
    ++at;
  }
}

/// The cell whose opening quote is at `at`. Afterwards `at` is at the delimiter or the end of the
/// row. Doubled quotes become single ones in place.
std::string_view CsvRecords::quoted_cell(std::span<char> row, std::size_t& at) const {
  const std::size_t start = ++at;
  std::size_t length = 0;
  while (at < row.size()) {
    if (row[at] == '"' && (++at == row.size() || row[at] != '"')) break;
    row[start + length++] = row[at++];
  }
  while (at < row.size() && row[at] != delimiter_ && is_blank(row[at])) ++at;
  if (at < row.size() && row[at] != delimiter_ && delimiter_ != ' ')
    throw FormatError(
        input_.source(), line_,
        fmt::format("{} after a closing quote, expected the next cell",
                    shown({row.data() + at, std::min<std::size_t>(row.size() - at, 20)})));
  return {row.data() + start, length};
}

std::string_view first_row(TextInput& input) {
  while (true) {
    const auto [bytes, lines] = row_extent(input, kAnyDelimiter);
    const std::string_view row = input.pending_text().substr(0, bytes);
    if (bytes == 0 || !is_blank_line(row, ',')) return row;
    input.skip(bytes, lines);
  }
}

}  // namespace bisector::io
