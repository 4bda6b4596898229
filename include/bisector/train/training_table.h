// A table of text prepared for training: numeric columns, levels and missing values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/io/column_plan.h"
#include "bisector/matrix.h"
#include "bisector/table_encoding.h"

namespace bisector {

/// A numeric column has text.
class BISECTOR_EXPORT UndeclaredText : public FormatError {
 public:
  using FormatError::FormatError;
};

struct TrainingTable {
  Matrix rows;                             // rows x features
  std::vector<std::string> target;         // of the same rows; empty without a target
  std::vector<std::string> feature_names;  // empty if the columns have no names
  /// Present if a column has levels or imputed values; otherwise the rows are the plain numbers.
  std::optional<TableEncoding> encoding;
  std::size_t dropped = 0;                    // number of rows left out
  std::vector<std::size_t> row_numbers = {};  // of `rows` in the table that was read, from 0
};

/// `plan` has the name and kind of each column of `cells`; all names may be empty. Empty one-hot
/// levels become the sorted values of the column (see sorted_classes). Values for imputation are
/// computed here. `target` has the target of every row, or is empty; a row without a target is an
/// error with MissingPolicy::error and left out otherwise. Throws UndeclaredText, and FormatError
/// as TableEncoding::encode does, with the row's number in `source`; InvalidInput if no row is left
/// or a column has no value.
BISECTOR_EXPORT TrainingTable training_table(std::vector<ColumnEncoding> plan,
                                             const TextColumns& cells,
                                             const std::vector<std::string>& target,
                                             MissingPolicy missing, std::string_view source);

}  // namespace bisector
