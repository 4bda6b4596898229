#include "io/libsvm/libsvm_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "io/common/growing_chunk.h"
#include "io/common/limits.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

/// The format omits zeros, so a few bytes could request any amount of memory.
void require_fair_size(std::size_t rows, std::size_t cells, std::uint64_t bytes,
                       const Limits& limits, const std::string& source, std::size_t line) {
  if (!limits.allow_table(bytes, rows, cells))
    throw FormatError(source, line,
                      fmt::format("{} row{} of {} numbers from {} bytes of text, expected fewer "
                                  "(limits elements, expansion)",
                                  rows, rows == 1 ? "" : "s", cells, bytes));
}

LibsvmLine line_of(InputLines& lines, const Limits& limits) {
  return {lines.text(), lines.source(), lines.number(), limits.max_features};
}

std::size_t largest_index(InputLines& lines, const Limits& limits) {
  std::size_t largest = 0;
  std::uint64_t bytes = 0;
  while (lines.next()) {
    LibsvmLine line = line_of(lines, limits);
    bytes += lines.bytes();
    while (!line.is_blank() && line.next()) largest = std::max(largest, line.index());
  }
  require_fair_size(1, largest + 1, bytes, limits, lines.source(), 0);
  return largest;
}

/// The positions of column c in a selection: positions()[first(c)] to positions()[first(c + 1)]. A
/// column may be selected any number of times.
class SelectedPositions {
 public:
  SelectedPositions() = default;
  SelectedPositions(const std::vector<std::size_t>& wanted, std::size_t columns)
      : first_(columns + 1) {
    for (const std::size_t column : wanted) {
      if (column < columns) ++first_[column + 1];
    }
    for (std::size_t c = 0; c < columns; ++c) first_[c + 1] += first_[c];
    positions_.resize(first_[columns]);
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] < columns) positions_[next[wanted[i]]++] = i;
    }
  }
  std::span<const std::size_t> of(std::size_t column) const {
    return std::span(positions_).subspan(first_[column], first_[column + 1] - first_[column]);
  }

 private:
  std::vector<std::size_t> first_, positions_;
};

Columns columns_of(std::size_t largest) {
  Columns columns;
  columns.count = largest + 1;
  columns.reading.summary = fmt::format("LIBSVM, a label and {} features", largest);
  return columns;
}

class LibsvmReader : public DataReader {
 public:
  LibsvmReader(InputLines lines, std::size_t largest, const Limits& limits)
      : DataReader(lines.source(), columns_of(largest)),
        lines_(std::move(lines)),
        limits_(limits) {}

  const std::vector<std::string>& names() const override;
  std::optional<std::size_t> target() const override { return 0; }
  bool is_sparse() const override { return true; }
  DataChunk read(std::size_t max_rows) override;
  std::size_t skip(std::size_t rows) override;
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 protected:
  std::size_t selectable() const override { return limits_.max_features + 1; }

 private:
  void place(const ColumnSelection& selection);
  void add_row(LibsvmLine& line, const ColumnSelection& selection, GrowingChunk& chunk) const;
  void add_cell(std::size_t column, std::string_view cell, std::span<double> row,
                GrowingChunk& chunk) const;

  InputLines lines_;
  Limits limits_;
  SelectedPositions numbers_, text_;
  bool is_placed_ = false;
  // Created on first use: files with millions of features often do not need it.
  mutable std::vector<std::string> names_;
};

const std::vector<std::string>& LibsvmReader::names() const {
  if (names_.empty()) {
    names_.reserve(columns());
    names_.emplace_back("label");
    for (std::size_t index = 1; index < columns(); ++index)
      names_.push_back(fmt::format_int(index).str());
  }
  return names_;
}

void LibsvmReader::place(const ColumnSelection& selection) {
  if (std::exchange(is_placed_, true)) return;
  numbers_ = SelectedPositions(selection.numbers, columns());
  text_ = SelectedPositions(selection.text, columns());
}

DataChunk LibsvmReader::read(std::size_t max_rows) {
  const ColumnSelection& selection = start();
  place(selection);
  GrowingChunk chunk(selection);
  constexpr std::size_t kTextSize = sizeof(std::string) / sizeof(double);
  const std::size_t cells = selection.numbers.size() + kTextSize * selection.text.size();
  std::uint64_t bytes = 0;
  while (chunk.rows() < max_rows && lines_.next()) {
    LibsvmLine line = line_of(lines_, limits_);
    if (line.is_blank()) continue;
    bytes += lines_.bytes();
    require_fair_size(chunk.rows() + 1, cells, bytes, limits_, source(), lines_.number());
    add_row(line, selection, chunk);
  }
  return std::move(chunk).finish();
}

std::size_t LibsvmReader::skip(std::size_t rows) {
  start();
  std::size_t skipped = 0;
  while (skipped < rows && lines_.next()) skipped += !line_of(lines_, limits_).is_blank();
  return skipped;
}

void LibsvmReader::add_row(LibsvmLine& line, const ColumnSelection& selection,
                           GrowingChunk& chunk) const {
  const std::span<double> row = chunk.add_zeros();
  for (std::size_t i = 0; i < selection.text.size(); ++i) chunk.add_text(i, "0");
  add_cell(0, line.label(), row, chunk);
  while (line.next()) {
    // The file may have grown since its largest index was determined.
    if (line.index() < columns()) add_cell(line.index(), line.value(), row, chunk);
  }
  chunk.end_row(lines_.number());
}

void LibsvmReader::add_cell(std::size_t column, std::string_view cell, std::span<double> row,
                            GrowingChunk& chunk) const {
  for (const std::size_t position : text_.of(column)) chunk.last_text(position) = cell;
  const auto wanted = numbers_.of(column);
  if (wanted.empty()) return;
  const auto value = cell_number(cell);
  if (!value || !is_usable(*value))
    refuse_cell(source(), lines_.number(),
                column == 0 ? "the label" : fmt::format("feature {}", column), cell,
                cell_problem(cell));
  for (const std::size_t position : wanted) row[position] = *value;
}

}  // namespace

LibsvmLine::LibsvmLine(std::string_view line, const std::string& source, std::size_t number,
                       std::size_t largest_index)
    : source_(source),
      number_(number),
      largest_index_(largest_index),
      rest_(line.substr(0, line.find('#'))) {
  label_ = take_word(rest_);
  if (label_.find(':') != std::string_view::npos)
    fail(fmt::format("{} comes first, expected a label", shown(label_)));
}

void LibsvmLine::fail(std::string_view problem) const {
  throw FormatError(source_, number_, problem);
}

bool LibsvmLine::next() {
  const std::string_view pair = take_word(rest_);
  if (pair.empty()) return false;
  std::size_t index = 0;
  const char* const end = pair.data() + pair.size();
  const auto [colon, error] = std::from_chars(pair.data(), end, index);
  if (error == std::errc::invalid_argument || colon == end || *colon != ':' || colon + 1 == end)
    fail(fmt::format("{}, expected index:value", shown(pair)));
  if (error != std::errc() || index > largest_index_)
    fail(fmt::format("{}, expected an index of at most {} (limit features)", shown(pair),
                     largest_index_));
  if (index == 0) fail("index 0, expected indexes from 1");
  if (index <= index_)
    fail(fmt::format("index {} after {}, expected ascending indexes", index, index_));
  index_ = index;
  value_ = {colon + 1, end};
  return true;
}

std::unique_ptr<DataReader> open_libsvm(TextInput input, const Limits& limits) {
  InputLines lines(std::move(input));
  const std::size_t largest = largest_index(lines, limits);
  lines.rewind();
  return std::make_unique<LibsvmReader>(std::move(lines), largest, limits);
}

}  // namespace bisector::io
