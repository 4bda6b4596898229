#include "io/text/text_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/number_text.h"
#include "core/util/ascii.h"
#include "io/common/growing_chunk.h"
#include "io/text/cells.h"
#include "io/text/csv_records.h"
#include "io/text/csv_sample.h"

namespace bisector::io {
namespace {

using Cells = std::vector<std::string>;

/// The properties of a file that are detected before its first row is read.
struct FirstLook {
  char delimiter = ',';
  HeaderReading header;
  SampleRows rows;           // from the first one; only that one if a pipe need not be waited for
  std::size_t comments = 0;  // lines above the table that begin with #
};

/// Takes the line "sep=;" off, which Excel writes above the names; returns its delimiter, or zero.
char take_separator_line(TextInput& input) {
  const std::string_view row = first_row(input);
  const std::string_view line = without_line_end(row);
  constexpr std::string_view kStart = "sep=";
  if (line.size() != kStart.size() + 1 || !line.starts_with(kStart) ||
      std::string_view(",;\t| ").find(line.back()) == std::string_view::npos)
    return '\0';
  const char delimiter = line.back();
  input.skip(row.size(), 1);
  return delimiter;
}

/// Skips comments above the table: lines that begin with # and have other cells than the first line
/// that does not. Returns their number.
std::size_t skip_comments(TextInput& input) {
  const std::string_view first = first_row(input);
  if (!first.starts_with('#')) return 0;
  const std::string_view head = input.head(kSampleBytes);
  std::size_t lines = 0, bytes = 0, last = 0;
  while (head.substr(bytes).starts_with('#')) {
    last = bytes;
    bytes = std::min(head.find('\n', bytes), head.size() - 1) + 1;
    ++lines;
  }
  const std::string_view row = head.substr(bytes, head.find('\n', bytes) - bytes);
  if (row.empty()) return 0;
  // "# a,b,c" has names.
  const auto cells = [delimiter = sniff_delimiter(row)](std::string_view line) {
    return std::ranges::count(line, delimiter);
  };
  if (cells(row) > 0 && cells(row) == cells(head.substr(last, bytes - last))) {
    bytes = last;
    --lines;
  }
  input.skip(bytes, lines);
  return lines;
}

FirstLook look(TextInput& input, const DataFormat& format, bool is_pipe) {
  const char given = take_separator_line(input);
  const std::size_t comments = is_pipe ? 0 : skip_comments(input);
  const std::string row(first_row(input));
  if (row.empty()) throw FormatError(input.source(), 0, "the file is empty, expected rows of data");
  FirstLook result{format.delimiter == '\0' ? given : format.delimiter, {}, {}, comments};
  if (result.delimiter == '\0' && is_pipe) result.delimiter = sniff_delimiter(row);
  if (result.delimiter != '\0') result.rows = sample_rows(row, true, result.delimiter);
  // The program behind a pipe may wait for an answer to this row before it sends the next.
  const bool is_enough =
      is_pipe && (result.rows.empty() || is_plainly_data(result.rows[0]) ||
                  format.header != DataFormat::Header::automatic ||
                  read_header(result.rows[0], {}, {.known_names = format.known_names}).is_header);
  if (!is_enough) {
    const std::size_t bytes = std::max(kSampleBytes, kSampleWideRows * row.size());
    const std::string_view head = input.head(bytes);
    const bool is_all = head.size() < bytes;
    if (result.delimiter == '\0') result.delimiter = choose_delimiter(row, head, is_all);
    result.rows = sample_rows(head, is_all, result.delimiter);
  }
  if (!result.rows.empty())
    result.header =
        read_header(result.rows[0], {result.rows.begin() + 1, result.rows.end()}, format);
  return result;
}

/// Refuses titles above the names; the names of the options show where the names are.
void require_names_first(const FirstLook& first, const DataFormat& format,
                         const std::string& source) {
  constexpr std::size_t kMaxTitles = 10;
  if (format.header != DataFormat::Header::automatic) return;
  const std::unordered_set<std::string_view> known(format.known_names.begin(),
                                                   format.known_names.end());
  const auto known_in = [&](const Cells& cells) -> const std::string* {
    for (const auto& cell : cells) {
      if (!cell.empty() && known.contains(cell) && !cell_number(cell)) return &cell;
    }
    return nullptr;
  };
  if (first.rows.empty() || known_in(first.rows[0]) != nullptr) return;
  for (std::size_t r = 1; r < std::min(kMaxTitles, first.rows.size()); ++r) {
    if (const std::string* name = known_in(first.rows[r]))
      throw FormatError(source, 0,
                        fmt::format("row {0} has the name {1}, expected the names in the first "
                                    "row: remove the lines above, for example with tail -n +{0}",
                                    r + 1, shown(*name)));
  }
}

/// True for an unnamed first column that numbers or names the rows.
bool is_index(const Cells& names, const SampleRows& below) {
  if (names.size() < 2 || !names[0].empty()) return false;
  Cells values;
  for (const auto& row : below) values.push_back(row[0]);
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

std::string delimiter_words(char delimiter) {
  switch (delimiter) {
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "bars";
    case ' ':
      return "blanks";
    default:
      return "commas";
  }
}

bool has_decimal_commas(const FirstLook& first) {
  return first.delimiter != ',' && std::ranges::any_of(first.rows, [](const auto& row) {
           return std::ranges::any_of(row, [](const auto& cell) { return is_decimal_comma(cell); });
         });
}

Reading reading_of(const FirstLook& first) {
  Reading reading;
  reading.summary = fmt::format(
      "CSV, separated by {}{}, {}", delimiter_words(first.delimiter),
      has_decimal_commas(first) ? ", decimal commas" : "",
      first.header.is_header ? "names in the first row" : "no names, the first row is data");
  if (first.comments > 0)
    reading.notes.push_back(fmt::format("left out: {} line{} above the table that begin{} with #",
                                        first.comments, first.comments == 1 ? "" : "s",
                                        first.comments == 1 ? "s" : ""));
  if (!first.header.doubt.empty())
    reading.notes.push_back(
        fmt::format("the first row is read as {}: {} (use --header {} if that is wrong)",
                    first.header.is_header ? "names" : "data", first.header.doubt,
                    first.header.is_header ? "no" : "yes"));
  return reading;
}

/// True if every row ends with a delimiter, which the row of names does not.
bool ends_with_delimiter(const SampleRows& below) {
  return std::ranges::all_of(below, [](const Cells& row) { return row.back().empty(); });
}

Columns columns_of(const FirstLook& first, const Cells& cells, std::size_t line) {
  Columns columns;
  columns.count = cells.size();
  if (first.header.is_header) {
    const SampleRows below(first.rows.empty() ? first.rows.end() : first.rows.begin() + 1,
                           first.rows.end());
    columns.names = cells;
    // NumPy writes the names as a comment.
    if (columns.names[0].starts_with("# ")) columns.names[0] = trimmed(columns.names[0].substr(2));
    columns.has_meaningful_names = !is_counting(cells);
    if (has_row_names(cells, below))
      columns.names.insert(ends_with_delimiter(below) ? columns.names.end() : columns.names.begin(),
                           "");
    columns.count = columns.names.size();
    if (is_index(columns.names, below)) columns.index = 0;
  }
  columns.reading = reading_of(first);
  if (first.header.is_header) columns.reading.names_line = line;
  return columns;
}

/// R writes TRUE, and Python True.
std::optional<double> truth_value(std::string_view cell) {
  if (util::equals_ignoring_case(cell, "true")) return 1.0;
  if (util::equals_ignoring_case(cell, "false")) return 0.0;
  return std::nullopt;
}

class CsvReader : public DataReader {
 public:
  CsvReader(std::string source, Columns columns, CsvRecords records)
      : DataReader(std::move(source), std::move(columns)), records_(std::move(records)) {}

  DataChunk read(std::size_t max_rows) override {
    const ColumnSelection& selection = start();
    GrowingChunk chunk(selection);
    while (chunk.rows() < max_rows && records_.next()) {
      require_all_cells();
      for (const std::size_t column : selection.numbers) chunk.add_number(number(column));
      for (std::size_t i = 0; i < selection.text.size(); ++i)
        chunk.add_text(i, records_.cells()[selection.text[i]]);
      chunk.end_row(records_.line());
    }
    return std::move(chunk).finish();
  }
  std::size_t skip(std::size_t rows) override {
    start();
    std::size_t skipped = 0;
    while (skipped < rows && records_.skip()) ++skipped;
    return skipped;
  }
  std::optional<double> fraction_read() const override { return records_.fraction_read(); }

 private:
  void require_all_cells() const {
    const std::size_t cells = records_.cells().size();
    if (cells == columns()) return;
    throw FormatError(
        source(), records_.line(),
        fmt::format("{} cell{}, expected {} (correct the line, or delete it with sed {}d)", cells,
                    cells == 1 ? "" : "s", columns(), records_.line()));
  }
  double number(std::size_t column) const {
    const std::string_view cell = records_.cells()[column];
    auto value = cell_number(cell);
    if (!value) {
      // Without a format of training, a percentage could be meant as a fraction.
      const auto text = read_number_text(cell);
      if (text && text->unit != "%") value = text->value;
    }
    if (!value) value = truth_value(cell);
    if (!value || !is_usable(*value))
      refuse_cell(source(), records_.line(), column_title(names(), column), cell,
                  cell_problem(cell));
    return *value;
  }

  CsvRecords records_;
};

}  // namespace

std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format, bool is_pipe) {
  const std::string source = input.source();
  const FirstLook first = look(input, format, is_pipe);
  require_names_first(first, format, source);
  CsvRecords records(std::move(input), first.delimiter);
  records.next();
  const Cells cells(records.cells().begin(), records.cells().end());
  Columns columns = columns_of(first, cells, records.line());
  if (!first.header.is_header) records.hold();
  return std::make_unique<CsvReader>(source, std::move(columns), std::move(records));
}

}  // namespace bisector::io
