#include "bisector/io/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bisector/io/number_text.h"
#include "bisector/text.h"

namespace bisector {
namespace {

/// The encoding of a table whose columns are all numeric.
TableEncoding numbers_of(const DataReader& reader, const std::vector<std::size_t>& columns) {
  std::vector<ColumnEncoding> encodings(columns.size());
  for (std::size_t i = 0; reader.has_meaningful_names() && i < columns.size(); ++i)
    encodings[i].name = reader.names()[columns[i]];
  return TableEncoding(std::move(encodings));
}

std::string title(const DataReader& reader, std::size_t column) {
  const bool has_name = column < reader.names().size() && !reader.names()[column].empty();
  return has_name ? reader.names()[column] : fmt::format("column {}", column + 1);
}

enum class Problem { missing, unseen };

/// The first problem of a row that a policy can handle, if it has one.
std::optional<Problem> problem_of(const TableEncoding& encoding, const TextColumns& cells,
                                  std::size_t row) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const ColumnEncoding& column = encoding.columns()[c];
    const std::string_view cell = trimmed_cell(cells[c][row]);
    const bool is_level = std::ranges::find(column.levels, cell) != column.levels.end();
    const bool is_numeric = column.kind == ColumnEncoding::Kind::numeric;
    if (is_level || (is_numeric && parse_number(cell))) continue;
    if (!(is_numeric ? is_missing_number(cell) : is_missing(cell))) {
      if (!is_numeric) return Problem::unseen;
    } else if (!column.fill) {
      return Problem::missing;
    }
  }
  return std::nullopt;
}

std::vector<std::string> row_of(const TextColumns& columns, std::size_t row) {
  std::vector<std::string> cells;
  for (const auto& column : columns) cells.push_back(column[row]);
  return cells;
}

TextColumns picked(const TextColumns& columns, const std::vector<std::size_t>& rows) {
  TextColumns result(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::size_t row : rows) result[c].push_back(columns[c][row]);
  }
  return result;
}

}  // namespace

std::size_t column_count(const Model& model) {
  return model.encoding() ? model.encoding()->columns().size() : model.features();
}

std::vector<std::string> column_names(const Model& model) {
  if (!model.encoding()) return model.feature_names();
  return model.encoding()->has_names() ? model.encoding()->column_names()
                                       : std::vector<std::string>{};
}

ModelRows::ModelRows(DataReader& reader, std::string source, const Model& model,
                     const std::vector<std::string>& dropped, const RowOptions& options)
    : reader_(reader),
      source_(std::move(source)),
      encoding_(model.encoding()),
      features_(model.features()),
      columns_(match_features(reader, source_, column_names(model), column_count(model), dropped,
                              model.target() ? model.target()->column : "")),
      options_(options) {
  if (options.is_forgiving() && !encoding_) encoding_ = numbers_of(reader, columns_);
  ColumnSelection selection;
  (encoding_ ? selection.text : selection.numbers) = columns_;
  for (const auto& column : options.kept) {
    selection.text.push_back(find_column(reader, source_, column));
    kept_names_.push_back(title(reader, selection.text.back()));
  }
  if (options.target) selection.text.push_back(*options.target);
  reader_.select(std::move(selection));
}

ModelChunk ModelRows::next_chunk(std::size_t max_rows) {
  ModelChunk chunk;
  chunk.rows = Matrix(0, features_);
  while (read_some(max_rows, chunk) && chunk.rows.rows() == 0) continue;
  return chunk;
}

/// False at the end of the file.
bool ModelRows::read_some(std::size_t max_rows, ModelChunk& chunk) {
  if (options_.only_row) {
    if (rows_read_ == 0) rows_read_ = reader_.skip(*options_.only_row - 1);
    if (rows_read_ + 1 != *options_.only_row) return false;
    max_rows = 1;
  }
  DataChunk read = reader_.read(max_rows);
  const std::size_t rows = read.rows(), first_row = rows_read_;
  rows_read_ += rows;
  const std::size_t own = encoding_ ? columns_.size() : 0;
  TextColumns cells(read.text.begin(), read.text.begin() + static_cast<std::ptrdiff_t>(own));
  TextColumns beside(read.text.begin() + static_cast<std::ptrdiff_t>(own), read.text.end());
  std::vector<std::size_t> usable;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto problem = options_.is_forgiving() ? problem_of(*encoding_, cells, r) : std::nullopt;
    if (!problem) {
      usable.push_back(r);
      chunk.numbers.push_back(first_row + r + 1);
      if (!read.lines.empty()) chunk.lines.push_back(read.lines[r]);
      continue;
    }
    chunk.unusable.push_back(
        {first_row + r + 1, *problem == Problem::missing, options_.missing, row_of(beside, r)});
    if (!options_.target) continue;
    UnusableRow& row = chunk.unusable.back();
    row.target = std::move(row.kept.back());
    row.kept.pop_back();
  }
  if (encoding_) {
    if (usable.size() < rows) cells = picked(cells, usable);
    refuse_misread(cells, chunk);
    encode(cells, chunk);
  } else {
    chunk.rows = rows == 0 ? Matrix(0, features_) : std::move(read.numbers);
  }
  chunk.kept = usable.size() == rows ? std::move(beside) : picked(beside, usable);
  if (options_.target && rows > 0) {
    chunk.target = std::move(chunk.kept.back());
    chunk.kept.pop_back();
  }
  return rows > 0;
}

/// Refuses a cell whose digits mean something else in the format of training.
void ModelRows::refuse_misread(const TextColumns& cells, const ModelChunk& chunk) const {
  for (std::size_t c = 0; c < encoding_->columns().size(); ++c) {
    const ColumnEncoding& column = encoding_->columns()[c];
    const auto row = find_misread_number(column, cells[c]);
    if (!row) continue;
    throw chunk.error_in(
        source_, *row,
        fmt::format("column {} is {}, expected {} as in training",
                    in_quotes(encoding_->column_names()[c]), in_quotes(cells[c][*row]),
                    column.format == "%" ? "a percentage such as 7%" : "a date " + column.format));
  }
}

/// Encodes the rows whose numbers `chunk` has.
void ModelRows::encode(const TextColumns& cells, ModelChunk& chunk) const {
  const std::size_t rows = chunk.numbers.size();
  chunk.rows = Matrix(0, features_);
  if (rows == 0) return;
  try {
    chunk.rows = encoding_->encode(cells, encoding_->imputes() ? &chunk.imputed : nullptr);
  } catch (const InvalidRow& error) {
    TextColumns plain = cells;
    make_numbers_plain(encoding_->columns(), plain);
    if (plain != cells) return encode(plain, chunk);
    const FormatError named = chunk.error_in(source_, error.row(), error.problem());
    if (problem_of(*encoding_, cells, error.row())) throw UnusableCell(named);
    throw named;
  }
}

FormatError ModelChunk::error_in(const std::string& source, std::size_t row,
                                 const std::string& problem) const {
  if (!lines.empty()) return FormatError(source, lines[row], problem);
  return FormatError(source, 0, fmt::format("row {}, {}", numbers[row], problem));
}

}  // namespace bisector
