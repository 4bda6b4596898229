#include "cli/writers/row_values.h"

#include <algorithm>
#include <cmath>

#include "cli/writers/number.h"

namespace bisector::cli {

using Kind = ColumnEncoding::Kind;

std::size_t RowValues::feature(std::size_t column) const {
  const std::size_t own = table_column(column);
  if (encoding_ == nullptr) return own;
  const auto& groups = encoding_->groups();
  return static_cast<std::size_t>(std::ranges::lower_bound(groups, own) - groups.begin());
}

bool RowValues::is_number(std::size_t column) const {
  if (!has_value(column)) return false;
  return encoding_ == nullptr || encoding_->columns()[table_column(column)].kind == Kind::numeric;
}

bool RowValues::is_imputed(const std::vector<std::size_t>& columns, std::size_t column) const {
  if (columns.empty() || !has_value(column)) return false;
  const std::size_t own =
      encoding_ != nullptr ? table_column(column) : table_->groups()[table_column(column)];
  return std::ranges::binary_search(columns, own);
}

std::vector<std::string> RowValues::imputed_names(const ImputedColumns& imputed,
                                                  std::size_t r) const {
  std::vector<std::string> names;
  if (imputed.empty()) return names;
  for (const std::size_t column : imputed[r]) names.push_back(table_->column_names()[column]);
  return names;
}

std::string RowValues::text(std::span<const double> row, std::size_t column) const {
  if (!has_value(column)) return "";
  const std::size_t first = feature(column);
  if (!is_number(column)) {
    const ColumnEncoding& own = encoding_->columns()[table_column(column)];
    const auto levels = row.subspan(first, own.kind == Kind::one_hot ? own.levels.size() : 1);
    const auto level = own.kind == Kind::one_hot
                           ? static_cast<double>(std::ranges::max_element(levels) - levels.begin())
                           : std::round(levels.front());
    if (level >= 0.0 && level < static_cast<double>(own.levels.size()))
      return own.levels[static_cast<std::size_t>(level)];
  }
  std::string text;
  append_number(text, row[first]);
  return text;
}

}  // namespace bisector::cli
