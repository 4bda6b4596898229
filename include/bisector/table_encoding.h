// The encoding of a table's columns of text as a model's features.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// The encoding of one column of a table.
struct ColumnEncoding {
  enum class Kind {
    numeric,  // one feature: the number
    ordinal,  // one feature: 0, 1, 2 ... for the levels in their order
    one_hot,  // one feature per level: 1 for the row's level, 0 for the others
    category  // one feature: 0, 1, 2 ... for unordered levels, which a distance only compares for
              // equality (Hamming, Gower)
  };

  std::string name = {};
  Kind kind = Kind::numeric;
  std::vector<std::string> levels = {};  // empty for numeric columns
  /// The replacement of a missing value: a number, or the position of a level. Without it a missing
  /// value is an error.
  std::optional<double> fill = std::nullopt;
  /// How the numbers of a numeric column were written in training, if the text of a cell does not
  /// show it: "%", a currency such as "$", "day/month/year" or "month/day/year".
  std::string format = {};

  bool operator==(const ColumnEncoding&) const = default;
};

constexpr std::string_view name(ColumnEncoding::Kind kind) {
  switch (kind) {
    case ColumnEncoding::Kind::numeric:
      return "numeric";
    case ColumnEncoding::Kind::ordinal:
      return "ordinal";
    case ColumnEncoding::Kind::one_hot:
      return "one_hot";
    case ColumnEncoding::Kind::category:
      return "category";
  }
  return {};
}

/// Cells column by column: columns[c][row].
using TextColumns = std::vector<std::vector<std::string>>;

/// For each row the positions of the columns whose missing cell was imputed, ascending.
using ImputedColumns = std::vector<std::vector<std::size_t>>;

/// The cell without surrounding spaces, tabs and carriage returns.
BISECTOR_EXPORT std::string_view trimmed_cell(std::string_view cell);

/// True for an empty cell, "?", "NA" and "nan", in any case, also with surrounding spaces.
BISECTOR_EXPORT bool is_missing(std::string_view cell);

/// The cell's number; nullopt if it is not a finite number. Surrounding spaces and a leading plus
/// are allowed.
BISECTOR_EXPORT std::optional<double> parse_number(std::string_view cell);

class BISECTOR_EXPORT TableEncoding {
 public:
  /// Throws InvalidModel unless there is a column, names are distinct or all empty (a table without
  /// names), levels are distinct, columns that are not numeric have a level, a fill is a finite
  /// number or the position of a level, and the features' names are distinct.
  explicit TableEncoding(std::vector<ColumnEncoding> columns);

  const std::vector<ColumnEncoding>& columns() const { return columns_; }
  /// False if the table had no names: columns are then matched by position.
  bool has_names() const { return !columns_.front().name.empty(); }
  /// The columns' names; "x1", "x2" and so on for a table without names.
  const std::vector<std::string>& column_names() const { return column_names_; }
  /// The features' names: the column's name, or "column=level" for one-hot.
  const std::vector<std::string>& features() const { return features_; }
  /// The column of each feature.
  const std::vector<std::size_t>& groups() const { return groups_; }
  /// True if a column has a fill, so that rows may have imputed cells.
  bool imputes() const;

  /// `cells` has one vector per column; the result is rows x features. Throws InvalidRow, naming
  /// the column and the value, for an unknown level, text in a numeric column or a missing value
  /// without a fill. It is that of the first such row. `imputed`, if given, gets a list for every
  /// row.
  Matrix encode(const TextColumns& cells, ImputedColumns* imputed = nullptr) const;

  /// Relevance of features (rows x features) summed onto their columns (rows x columns).
  Matrix sum_by_column(MatrixView<const double> relevance) const;

  bool operator==(const TableEncoding&) const = default;

 private:
  std::vector<ColumnEncoding> columns_;
  std::vector<std::string> column_names_;
  std::vector<std::string> features_;
  std::vector<std::size_t> groups_;
};

}  // namespace bisector
