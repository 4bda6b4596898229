// A table of text made ready for training: which columns are numbers, which are levels, and what
// becomes of missing values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/table_encoding.h"

namespace bisector {

/// What to do with a missing value (see is_missing).
enum class MissingPolicy {
  error,
  drop,   // leave its row out
  median  // the column's median or most frequent level, also for rows to predict later
};

/// A column with text that was declared neither ordinal nor one-hot.
class BISECTOR_EXPORT UndeclaredText : public FormatError {
 public:
  using FormatError::FormatError;
};

struct TrainingTable {
  Matrix rows;                             // rows x features
  std::vector<std::string> target;         // of the same rows; empty where there was none
  std::vector<std::string> feature_names;  // empty where the columns had none
  /// There where a column has levels or a fill; else the rows are the numbers as they stand.
  std::optional<TableEncoding> encoding;
  std::size_t dropped = 0;  // rows that were left out
};

/// `plan` says for each column of `cells` its name and kind; the names may all be empty. One-hot
/// levels may be left empty: then they are the column's values, sorted (see sorted_classes). Fills
/// are found here. `target` has the target of every row, or nothing at all; a row without one is an
/// error, or left out unless `missing` is MissingPolicy::error. Throws UndeclaredText, and
/// FormatError as TableEncoding::encode does, with the number of the row in `source`; InvalidInput
/// where no rows are left or a column has no value at all.
BISECTOR_EXPORT TrainingTable training_table(std::vector<ColumnEncoding> plan,
                                             const TextColumns& cells,
                                             const std::vector<std::string>& target,
                                             MissingPolicy missing, std::string_view source);

}  // namespace bisector
