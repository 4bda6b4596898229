#include "io/text/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "bisector/error.h"
#include "io/text/cells.h"
#include "io/text/csv_records.h"
#include "io/text/table_reader.h"

namespace bisector::io {
namespace {

constexpr std::array kDelimiters{',', ';', '\t'};  // the earlier wins a tie

bool has_header(const DataFormat& format, const std::vector<std::string_view>& cells) {
  if (format.header == DataFormat::Header::automatic) return looks_like_header(cells);
  return format.header == DataFormat::Header::yes;
}

Columns columns_of(const std::vector<std::string_view>& first_cells, bool is_header) {
  Columns columns;
  columns.count = first_cells.size();
  if (is_header) {
    columns.names.assign(first_cells.begin(), first_cells.end());
    columns.has_meaningful_names = !is_counting(first_cells);
  }
  return columns;
}

}  // namespace

std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format) {
  const std::string source = input.source();
  const std::string_view row = first_row(input);
  if (row.empty()) throw FormatError(source, 0, "the file is empty, expected rows of data");
  const char delimiter = format.delimiter != '\0' ? format.delimiter : sniff_delimiter(row);
  auto records = std::make_unique<CsvRecords>(std::move(input), delimiter);
  records->next();
  const bool is_header = has_header(format, records->cells());
  Columns columns = columns_of(records->cells(), is_header);
  if (!is_header) records->hold();
  return std::make_unique<TableReader>(source, std::move(columns), std::move(records));
}

char sniff_delimiter(std::string_view first_row) {
  std::array<std::size_t, kDelimiters.size()> counts{};
  bool is_quoted = false;
  for (const char c : first_row) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    for (std::size_t i = 0; i < kDelimiters.size(); ++i) counts[i] += c == kDelimiters[i];
  }
  const auto most = std::ranges::max_element(counts);
  return kDelimiters[static_cast<std::size_t>(most - counts.begin())];
}

bool looks_like_header(const std::vector<std::string_view>& cells) {
  const auto is_number = [](std::string_view cell) { return cell_number(cell).has_value(); };
  const auto has_text = [](std::string_view cell) { return !cell.empty(); };
  if (is_counting(cells)) return true;
  return std::ranges::none_of(cells, is_number) && std::ranges::any_of(cells, has_text);
}

bool is_counting(const std::vector<std::string_view>& cells) {
  // Two columns, or counting from one, may well be somebody's first row.
  if (cells.size() < 3) return false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != fmt::format_int(i).c_str()) return false;
  }
  return true;
}

}  // namespace bisector::io
