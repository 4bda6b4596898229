// The rows of a data file as a model wants them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/data_reader.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

/// The columns that a model wants of a data file: those of its table encoding, else its features.
BISECTOR_EXPORT std::size_t column_count(const Model& model);
/// Their names; empty where they go by position.
BISECTOR_EXPORT std::vector<std::string> column_names(const Model& model);

/// Reads a model's input from a data file, chunk by chunk: finds its columns (see match_features)
/// and, for a model that was trained on a table with text or missing values, encodes them.
class BISECTOR_EXPORT ModelRows {
 public:
  /// Selects the columns, so `reader` must not have been read from yet; it has to outlive this.
  /// `source` names it in errors. `dropped` columns do not count where columns are matched by
  /// position. The text of the `carried` columns, by position, goes along with the rows.
  ModelRows(DataReader& reader, std::string source, const Model& model,
            const std::vector<std::string>& dropped = {},
            const std::vector<std::size_t>& carried = {});

  /// The next rows x Model::features(), at most `max_rows`; no rows at the end. Throws FormatError
  /// with the place of a cell that cannot be used.
  Matrix next(std::size_t max_rows);

  /// For each carried column, the text of the rows that the last next() gave.
  const TextColumns& carried() const { return carried_; }

  /// All that are left.
  Matrix rest();

  /// The columns of the file, in the order of column_names().
  const std::vector<std::size_t>& columns() const { return columns_; }

 private:
  DataReader& reader_;
  std::string source_;
  std::optional<TableEncoding> encoding_;
  std::size_t features_;
  std::vector<std::size_t> columns_;
  TextColumns carried_;
  std::size_t rows_read_ = 0;
};

}  // namespace bisector
