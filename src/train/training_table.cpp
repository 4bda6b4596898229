#include "bisector/train/training_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/io/number_text.h"
#include "bisector/text.h"
#include "bisector/train/targets.h"
#include "core/models/checks.h"
#include "train/values.h"

namespace bisector {

using namespace detail;

namespace {

using Kind = ColumnEncoding::Kind;

/// True for a missing value. "NA" is a value if it is declared as a level.
bool lacks_value(const ColumnEncoding& column, const std::string& cell) {
  return is_missing(cell) && std::ranges::find(column.levels, cell) == column.levels.end();
}

std::string column_name(const ColumnEncoding& column, std::size_t index) {
  return column.name.empty() ? fmt::format("x{}", index + 1) : column.name;
}

void require_shapes(const std::vector<ColumnEncoding>& plan, const TextColumns& cells,
                    const std::vector<std::string>& target, std::string_view source) {
  if (plan.empty() || cells.size() != plan.size())
    throw InvalidInput(
        fmt::format("{}: {} columns of cells but {} encodings", source, cells.size(), plan.size()));
  const std::size_t rows = cells.front().size();
  for (const auto& column : cells) {
    if (column.size() != rows)
      throw InvalidInput(fmt::format("{}: columns of {} and {} rows, expected the same number",
                                     source, rows, column.size()));
  }
  if (!target.empty() && target.size() != rows)
    throw InvalidInput(
        fmt::format("{}: {} targets for {} rows, expected one each", source, target.size(), rows));
}

/// Every cell of a numeric column must be a number or missing.
void require_number_column(const ColumnEncoding& column, std::size_t index,
                           const std::vector<std::string>& cells, std::string_view source) {
  if (column.kind != Kind::numeric) return;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (!parse_number(cells[row]) && !is_missing(cells[row]))
      throw UndeclaredText(
          source, 0,
          fmt::format("row {}, column {} is {}, expected a number (or declare the column "
                      "ordinal or one-hot, or drop it)",
                      row + 1, in_quotes(column_name(column, index)), in_quotes(cells[row])));
  }
}

void require_target(const std::vector<std::string>& target, std::string_view source) {
  const auto found = std::ranges::find_if(target, is_missing);
  if (found != target.end())
    throw FormatError(
        source, 0,
        fmt::format("row {}: the target is missing (\"{}\")", found - target.begin() + 1, *found));
}

/// The rows to keep: those with a target and, for MissingPolicy::skip, with every value.
std::vector<std::size_t> kept_rows(const std::vector<ColumnEncoding>& plan,
                                   const TextColumns& cells, const std::vector<std::string>& target,
                                   MissingPolicy missing) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < cells.front().size(); ++row) {
    bool keep = target.empty() || missing == MissingPolicy::error || !is_missing(target[row]);
    for (std::size_t c = 0; keep && missing == MissingPolicy::skip && c < plan.size(); ++c)
      keep = !lacks_value(plan[c], cells[c][row]);
    if (keep) kept.push_back(row);
  }
  return kept;
}

std::vector<std::string> picked(const std::vector<std::string>& cells,
                                const std::vector<std::size_t>& rows) {
  std::vector<std::string> result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) result.push_back(cells[row]);
  return result;
}

/// The cells that are not missing.
std::vector<std::string> present(const ColumnEncoding& column, std::size_t index,
                                 const std::vector<std::string>& cells, std::string_view source) {
  std::vector<std::string> values;
  for (const std::string& cell : cells) {
    if (!lacks_value(column, cell)) values.push_back(cell);
  }
  if (values.empty())
    throw InvalidInput(fmt::format("{}: column \"{}\" has no value in any row", source,
                                   column_name(column, index)));
  return values;
}

double median_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) numbers.push_back(parse_number(value).value());
  return percentile(numbers, 50.0);
}

/// The position of the most frequent level; of equal ones the first.
double most_frequent(const ColumnEncoding& column, const std::vector<std::string>& values) {
  std::vector<std::size_t> counts;
  for (const std::string& level : column.levels)
    counts.push_back(static_cast<std::size_t>(std::ranges::count(values, level)));
  return static_cast<double>(std::ranges::max_element(counts) - counts.begin());
}

bool has_missing_values(const std::vector<ColumnEncoding>& plan, const TextColumns& cells) {
  for (std::size_t c = 0; c < plan.size(); ++c) {
    const auto is_gap = [&](const std::string& cell) { return lacks_value(plan[c], cell); };
    if (std::ranges::any_of(cells[c], is_gap)) return true;
  }
  return false;
}

/// Computes the levels and the imputed value of a column, if the plan does not have them.
void complete(ColumnEncoding& column, std::size_t index, const std::vector<std::string>& cells,
              bool fills, std::string_view source) {
  const bool has_levels = column.kind == Kind::one_hot || column.kind == Kind::category;
  const bool wants_levels = has_levels && column.levels.empty();
  if (!wants_levels && !fills) return;
  const std::vector<std::string> values = present(column, index, cells, source);
  if (wants_levels) column.levels = sorted_values(values).names;
  if (fills)
    column.fill = column.kind == Kind::numeric ? median_of(values) : most_frequent(column, values);
}

/// Numbers beyond the limit cannot be squared and summed.
void require_coordinates(const TableEncoding& encoding, const Matrix& rows,
                         const std::vector<std::size_t>& kept, std::string_view source) {
  const auto bad = first_beyond(rows);
  if (!bad) return;
  throw InvalidInput(
      fmt::format("{}: row {}, column \"{}\" is {:.6g}, expected a number within ±{:g}: correct "
                  "it, change the unit of the column, or leave it out with --drop",
                  source, kept[bad->row] + 1, encoding.features()[bad->col],
                  rows(bad->row, bad->col), kLargestCoordinate));
}

TextColumns trimmed(const TextColumns& cells) {
  TextColumns result = cells;
  for (auto& column : result) {
    for (std::string& cell : column) cell = std::string(trimmed_cell(cell));
  }
  return result;
}

Matrix encoded(const TableEncoding& encoding, const TextColumns& cells, std::string_view source) {
  try {
    return encoding.encode(cells);
  } catch (const InvalidRow& error) {
    throw error.in(source, 0);
  }
}

}  // namespace

TrainingTable training_table(std::vector<ColumnEncoding> plan, const TextColumns& cells,
                             const std::vector<std::string>& target, MissingPolicy missing,
                             std::string_view source) {
  require_shapes(plan, cells, target, source);
  TextColumns columns = trimmed(cells);
  make_numbers_plain(plan, columns);
  for (std::size_t c = 0; c < plan.size(); ++c)
    require_number_column(plan[c], c, columns[c], source);
  if (missing == MissingPolicy::error) require_target(target, source);
  const std::vector<std::size_t> kept = kept_rows(plan, columns, target, missing);
  if (kept.empty()) throw InvalidInput(fmt::format("{}: no rows to train on", source));
  const std::size_t dropped = columns.front().size() - kept.size();
  for (auto& column : columns) {
    if (dropped > 0) column = picked(column, kept);
  }
  const bool fills = missing == MissingPolicy::median ||
                     (missing == MissingPolicy::automatic && has_missing_values(plan, columns));
  for (std::size_t c = 0; c < plan.size(); ++c) complete(plan[c], c, columns[c], fills, source);

  const TableEncoding encoding(std::move(plan));
  TrainingTable table{encoded(encoding, columns, source),
                      target.empty() ? std::vector<std::string>{} : picked(target, kept),
                      encoding.has_names() ? encoding.features() : std::vector<std::string>{},
                      std::nullopt,
                      dropped,
                      kept};
  const bool plain = std::ranges::all_of(encoding.columns(), [](const ColumnEncoding& column) {
    return column.kind == Kind::numeric && !column.fill && column.format.empty();
  });
  require_coordinates(encoding, table.rows, kept, source);
  if (!plain) table.encoding = encoding;
  return table;
}

}  // namespace bisector
