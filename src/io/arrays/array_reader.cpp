#include "io/arrays/array_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bisector/error.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

/// `count` texts of a one-dimensional array.
std::vector<std::string> texts(const ArrayRows& array, const ArrayRows::Slice& slice,
                               std::size_t count, const std::string& source) {
  NpyHeader block = array.header();
  block.shape = {count};
  return decode_npy_text(block, {slice.first, block.bytes()}, source);
}

}  // namespace

ArrayReader::ArrayReader(std::string source, Columns columns, bool is_packed,
                         std::unique_ptr<ArrayRows> table, std::unique_ptr<ArrayRows> target)
    : DataReader(std::move(source), std::move(columns)),
      is_packed_(is_packed),
      table_(std::move(table)),
      target_(std::move(target)) {}

std::optional<std::size_t> ArrayReader::target() const {
  if (!target_) return std::nullopt;
  return table_->columns();
}

DataChunk ArrayReader::read(std::size_t max_rows) {
  const ColumnSelection& selection = start();
  const std::size_t rows = std::min(max_rows, table_->rows() - next_row_);
  const std::size_t stride = selection.numbers.size();
  std::vector<double> values;
  // A compressed array may have fewer rows than its header says, so memory grows with the rows.
  if (!is_packed_) values.reserve(rows * stride);
  std::vector<std::vector<std::string>> text(selection.text.size());
  for (std::size_t done = 0; done < rows;) {
    const std::size_t count = std::min(rows - done, block_rows());
    advance(selection, count);
    values.resize((done + count) * stride);
    std::optional<BadCell> bad;  // the first bad cell by row
    for (std::size_t i = 0; i < stride; ++i) {
      auto found = add_numbers(
          selection.numbers[i],
          std::span(values).subspan(done * stride + i, (count - 1) * stride + 1), stride);
      if (found && (!bad || found->row < bad->row)) bad = std::move(found);
    }
    if (bad) refuse(*bad);
    for (std::size_t i = 0; i < text.size(); ++i) add_text(selection.text[i], count, text[i]);
    done += count;
    next_row_ += count;
  }
  return {Matrix(rows, stride, std::move(values)), std::move(text)};
}

std::size_t ArrayReader::skip(std::size_t rows) {
  const ColumnSelection& selection = start();
  rows = std::min(rows, table_->rows() - next_row_);
  for (std::size_t done = 0; done < rows;) {
    const std::size_t count = std::min(rows - done, block_rows());
    advance(selection, count);
    done += count;
    next_row_ += count;
  }
  return rows;
}

std::optional<double> ArrayReader::fraction_read() const {
  if (table_->rows() == 0) return 1.0;
  return static_cast<double>(next_row_) / static_cast<double>(table_->rows());
}

std::size_t ArrayReader::block_rows() const {
  const std::size_t rows = table_->block_rows();
  return target_ ? std::min(rows, target_->block_rows()) : rows;
}

ArrayReader::Place ArrayReader::place(std::size_t column) {
  if (column < table_->columns()) return {*table_, column};
  return {*target_, column - table_->columns()};
}

bool ArrayReader::wants(const ColumnSelection& selection, const ArrayRows& array) {
  const auto is_there = [&](std::size_t column) { return &place(column).array == &array; };
  return std::ranges::any_of(selection.numbers, is_there) ||
         std::ranges::any_of(selection.text, is_there);
}

void ArrayReader::advance(const ColumnSelection& selection, std::size_t count) {
  if (wants(selection, *table_)) table_->advance(count);
  if (target_ && wants(selection, *target_)) target_->advance(count);
}

std::optional<ArrayReader::BadCell> ArrayReader::add_numbers(std::size_t column,
                                                             std::span<double> numbers,
                                                             std::size_t stride) {
  const auto [array, own_column] = place(column);
  const ArrayRows::Slice slice = array.column(own_column);
  const std::size_t count = (numbers.size() - 1) / stride + 1;
  if (array.header().is_text()) {
    const auto cells = texts(array, slice, count, source());
    for (std::size_t row = 0; row < count; ++row) {
      const auto value = cell_number(cells[row]);
      if (!value || !is_usable(*value))
        return BadCell{row, column, cells[row], cell_problem(cells[row])};
      numbers[row * stride] = *value;
    }
    return std::nullopt;
  }
  decode_npy_column(array.header(), slice.first, slice.stride, numbers.data(), stride, count);
  for (std::size_t row = 0; row < count; ++row) {
    if (!is_usable(numbers[row * stride]))
      return BadCell{row, column, fmt::to_string(numbers[row * stride]),
                     value_problem(numbers[row * stride])};
  }
  return std::nullopt;
}

void ArrayReader::add_text(std::size_t column, std::size_t count, std::vector<std::string>& text) {
  const auto [array, own_column] = place(column);
  const ArrayRows::Slice slice = array.column(own_column);
  if (array.header().is_text()) {
    std::ranges::move(texts(array, slice, count, source()), std::back_inserter(text));
    return;
  }
  for (std::size_t row = 0; row < count; ++row)
    text.push_back(npy_number_text(array.header(), slice.element(row, array.header().item_size)));
}

void ArrayReader::refuse(const BadCell& cell) const {
  refuse_cell(
      source(), 0,
      fmt::format("row {}, {}", next_row_ + cell.row + 1, column_title(names(), cell.column)),
      cell.text, cell.problem);
}

std::unique_ptr<DataReader> open_npy(InputFile file) {
  const std::string source = file.source();
  const std::uint64_t size = file.size();
  const auto shared = std::make_shared<InputFile>(std::move(file));
  const auto read = [shared](std::span<char> to) { shared->read_exactly(to); };
  NpyHeader header = as_table(parse_npy_header(read, source), source);
  const std::uint64_t start = shared->position();
  if (header.bytes() > size - start)
    throw FormatError(source, 0,
                      fmt::format("an array of {} bytes, but only {} follow the header",
                                  header.bytes(), size - start));
  const auto read_at = [shared, start](std::uint64_t offset, std::span<char> to) {
    shared->read_exactly_at(start + offset, to);
  };
  Columns columns;
  columns.count = header.shape.size() == 1 ? 1 : header.shape[1];
  columns.reading.summary = "NPY, one array";
  auto rows = is_row_major(header) ? sequential_rows(std::move(header), read)
                                   : column_major_rows(std::move(header), read_at);
  return std::make_unique<ArrayReader>(source, std::move(columns), false, std::move(rows));
}

}  // namespace bisector::io
