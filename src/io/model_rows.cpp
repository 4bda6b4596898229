#include "bisector/io/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bisector {
namespace {

/// A table of numbers, which text may be missing from.
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

/// Why the model cannot take a row, where a policy may forgive it.
std::optional<Problem> problem_of(const TableEncoding& encoding, const TextColumns& cells,
                                  std::size_t row) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const ColumnEncoding& column = encoding.columns()[c];
    const std::string_view cell = trimmed_cell(cells[c][row]);
    const bool is_level = std::ranges::find(column.levels, cell) != column.levels.end();
    if (is_level || (column.kind == ColumnEncoding::Kind::numeric && parse_number(cell))) continue;
    if (!is_missing(cell)) {
      if (column.kind != ColumnEncoding::Kind::numeric) return Problem::unseen;
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
      columns_(match_features(reader, source_, column_names(model), column_count(model), dropped)),
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
  while (read_some(max_rows, chunk) && chunk.rows.rows() == 0) continue;
  return chunk;
}

/// False at the end of the file.
bool ModelRows::read_some(std::size_t max_rows, ModelChunk& chunk) {
  DataChunk read = reader_.read(max_rows);
  const std::size_t rows = read.rows(), first_row = rows_read_;
  rows_read_ += rows;
  const std::size_t own = encoding_ ? columns_.size() : 0;
  TextColumns cells(read.text.begin(), read.text.begin() + static_cast<std::ptrdiff_t>(own));
  TextColumns beside(read.text.begin() + static_cast<std::ptrdiff_t>(own), read.text.end());
  std::vector<std::size_t> usable;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto problem = options_.is_forgiving() ? problem_of(*encoding_, cells, r) : std::nullopt;
    const RowPolicy policy = !problem                       ? RowPolicy::error
                             : *problem == Problem::missing ? options_.missing
                                                            : options_.unseen;
    if (policy == RowPolicy::error) {
      usable.push_back(r);
      chunk.numbers.push_back(first_row + r + 1);
      continue;
    }
    chunk.unusable.push_back(
        {first_row + r + 1, *problem == Problem::missing, policy, row_of(beside, r)});
    if (options_.target) chunk.unusable.back().kept.pop_back();
  }
  if (rows == 0) {
    chunk.rows = Matrix(0, features_);
  } else if (!encoding_) {
    chunk.rows = std::move(read.numbers);
  } else if (usable.size() == rows) {
    chunk.rows = encoded(cells, first_row);
  } else {
    // A cell that the policies do not forgive is named by its place in the file.
    for (const std::size_t r : usable) {
      if (problem_of(*encoding_, cells, r)) encoded(picked(cells, {r}), first_row + r);
    }
    chunk.rows = usable.empty() ? Matrix(0, features_) : encoded(picked(cells, usable), first_row);
  }
  chunk.kept = usable.size() == rows ? std::move(beside) : picked(beside, usable);
  if (options_.target && rows > 0) {
    chunk.target = std::move(chunk.kept.back());
    chunk.kept.pop_back();
  }
  return rows > 0;
}

Matrix ModelRows::encoded(const TextColumns& cells, std::size_t first_row) const {
  try {
    return encoding_->encode(cells, source_, first_row);
  } catch (const FormatError& error) {
    for (std::size_t r = 0; r < cells.front().size(); ++r) {
      if (const auto problem = problem_of(*encoding_, cells, r))
        throw UnusableCell(error, *problem == Problem::missing);
    }
    throw;
  }
}

Matrix ModelRows::rest() {
  constexpr std::size_t kChunk = 4096;
  std::vector<double> values;
  std::size_t rows = 0;
  for (Matrix chunk = next(kChunk); chunk.rows() > 0; chunk = next(kChunk)) {
    rows += chunk.rows();
    values.insert(values.end(), chunk.values().begin(), chunk.values().end());
  }
  return Matrix(rows, features_, std::move(values));
}

}  // namespace bisector
