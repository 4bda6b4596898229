// From a table's columns of text to a model's features, and relevance back to the columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// How one column of a table becomes features.
struct ColumnEncoding {
  enum class Kind {
    numeric,  // one feature: the number
    ordinal,  // one feature: 0, 1, 2 ... for the levels in their order
    one_hot,  // one feature per level: 1 for the row's level, 0 for the others
    category  // one feature: 0, 1, 2 ... for levels without order, of which a distance asks only
              // whether they are equal (Hamming, Gower)
  };

  std::string name = {};
  Kind kind = Kind::numeric;
  std::vector<std::string> levels = {};  // of all but numbers
  /// What stands for a missing value: a number, or for levels the position of one. Without it a
  /// missing value is an error.
  std::optional<double> fill = std::nullopt;

  bool operator==(const ColumnEncoding&) const = default;
};

/// Cells column by column: columns[c][row].
using TextColumns = std::vector<std::vector<std::string>>;

/// The cell without spaces, tabs and carriage returns around it.
BISECTOR_EXPORT std::string_view trimmed_cell(std::string_view cell);

/// True for an empty cell, "?", "NA" and "nan", in either case and with spaces around it.
BISECTOR_EXPORT bool is_missing(std::string_view cell);

/// The number that a cell holds, nothing where it is not a finite number. Spaces around it and a
/// leading plus are allowed.
BISECTOR_EXPORT std::optional<double> parse_number(std::string_view cell);

class BISECTOR_EXPORT TableEncoding {
 public:
  /// Throws InvalidModel unless there is a column, names are distinct or all of them are empty (the
  /// table had none), levels are distinct and, of all kinds but numbers, at least one, a fill is a
  /// finite number or the position of a level, and the features' names are distinct.
  explicit TableEncoding(std::vector<ColumnEncoding> columns);

  const std::vector<ColumnEncoding>& columns() const { return columns_; }
  /// False where the table had no names: then columns are matched by position.
  bool has_names() const { return !columns_.front().name.empty(); }
  /// The columns' names, "x1", "x2" and so on where the table had none.
  const std::vector<std::string>& column_names() const { return column_names_; }
  /// The features' names: the column's, or "column=level" for one-hot.
  const std::vector<std::string>& features() const { return features_; }
  /// For every feature its column.
  const std::vector<std::size_t>& groups() const { return groups_; }

  /// `cells` has one vector per column; the result is rows x features. Throws FormatError, naming
  /// `source`, the row (counted from one, `first_row` being the number before the first), the
  /// column and the value, for an unknown level, text in a numeric column or a missing value
  /// without a fill.
  Matrix encode(const TextColumns& cells, std::string_view source, std::size_t first_row = 0) const;

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
