// The values of a row as the user's table has them: numbers, and the names of levels.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bisector/model.h"
#include "cli/options/groups.h"

namespace bisector::cli {

class RowValues {
 public:
  /// `by_column`: values belong to the columns of the model's table, not to its features.
  RowValues(const Model& model, bool by_column)
      : table_(model.encoding() ? &*model.encoding() : nullptr),
        encoding_(by_column ? table_ : nullptr) {}
  /// The same for entries of an explanation: groups of columns and single columns.
  RowValues(const Model& model, bool by_column, ColumnGroups groups) : RowValues(model, by_column) {
    groups_ = std::move(groups);
  }

  /// True unless the entry is a group, which has no value of its own.
  bool has_value(std::size_t column) const { return !groups_ || groups_->is_column(column); }
  /// The value of a column (or feature) of a row in the model's features; empty for a group.
  std::string text(std::span<const double> row, std::size_t column) const;
  /// True if the value of the entry was missing and was imputed; `columns` are those of the row in
  /// ModelChunk::imputed.
  bool is_imputed(const std::vector<std::size_t>& columns, std::size_t column) const;
  /// True if the model imputes missing values.
  bool imputes() const { return table_ != nullptr && table_->imputes(); }
  /// The names of the imputed columns of row r; none if the model imputes nothing.
  std::vector<std::string> imputed_names(const ImputedColumns& imputed, std::size_t r) const;
  /// True if the column holds numbers, so that it has a mean.
  bool is_number(std::size_t column) const;
  /// The feature that holds the number of a column of numbers.
  std::size_t feature(std::size_t column) const;

 private:
  std::size_t table_column(std::size_t column) const {
    return groups_ ? groups_->members[column].front() : column;
  }

  const TableEncoding* table_;     // of the model
  const TableEncoding* encoding_;  // the same, if values belong to columns
  std::optional<ColumnGroups> groups_;
};

}  // namespace bisector::cli
