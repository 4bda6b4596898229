#include "io/text/table_reader.h"

#include <fmt/format.h>

#include <utility>

#include "bisector/error.h"
#include "bisector/io/number_text.h"
#include "core/util/ascii.h"
#include "io/text/cells.h"
#include "io/text/csv_sample.h"

namespace bisector::io {
namespace {

/// R writes TRUE, and Python True.
std::optional<double> truth_value(std::string_view cell) {
  if (util::equals_ignoring_case(cell, "true")) return 1.0;
  if (util::equals_ignoring_case(cell, "false")) return 0.0;
  return std::nullopt;
}

}  // namespace

TableReader::TableReader(std::string source, Columns columns, std::unique_ptr<Records> records,
                         std::string missing)
    : BaseReader(std::move(source), std::move(columns)),
      records_(std::move(records)),
      missing_(std::move(missing)) {}

Columns named_columns(std::vector<std::string> names, Reading reading) {
  Columns columns;
  columns.count = names.size();
  columns.has_meaningful_names = !is_counting(names);
  if (!names.empty() && names[0].empty()) columns.index = 0;
  columns.names = std::move(names);
  columns.reading = std::move(reading);
  return columns;
}

DataChunk TableReader::read(std::size_t max_rows) {
  const ColumnSelection& selection = start();
  GrowingChunk chunk(selection);
  while (chunk.rows() < max_rows && records_->next()) {
    if (records_->cells().size() != columns())
      throw FormatError(
          source(), records_->line(),
          fmt::format("{} cell{}, expected {} (correct the line, or delete it with sed {}d)",
                      records_->cells().size(), records_->cells().size() == 1 ? "" : "s", columns(),
                      records_->line()));
    add_row(selection, chunk);
  }
  return std::move(chunk).finish();
}

void TableReader::add_row(const ColumnSelection& selection, GrowingChunk& chunk) const {
  for (const std::size_t column : selection.numbers) chunk.add_number(number(column));
  for (std::size_t i = 0; i < selection.text.size(); ++i)
    chunk.add_text(i, records_->cells()[selection.text[i]]);
  chunk.end_row();
}

double TableReader::number(std::size_t column) const {
  auto value = cell_number(records_->cells()[column]);
  if (!value) value = parse_number_text(records_->cells()[column]);
  if (!value) value = truth_value(records_->cells()[column]);
  if (!value || !is_usable(*value)) refuse(column);
  return *value;
}

void TableReader::refuse(std::size_t column) const {
  const std::string_view cell = records_->cells()[column];
  const bool has_mark = !missing_.empty() && cell == missing_;
  refuse_cell(source(), records_->line(), column_title(names(), column), cell,
              has_mark ? "is missing, expected a number" : cell_problem(cell));
}

}  // namespace bisector::io
