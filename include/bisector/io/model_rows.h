// The rows of a data file as a model wants them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/io/data_reader.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/table_encoding.h"

namespace bisector {

/// The columns that a model wants of a data file: those of its table encoding, else its features.
BISECTOR_EXPORT std::size_t column_count(const Model& model);
/// Their names; empty where they go by position.
BISECTOR_EXPORT std::vector<std::string> column_names(const Model& model);

/// What to do with a row that has a cell which the model cannot take.
enum class RowPolicy {
  error,
  skip,  // leave the row out
  mark   // the same, for whoever writes something in its place
};

struct RowOptions {
  RowPolicy missing = RowPolicy::error;    // a cell without a value, and no fill in the model
  RowPolicy unseen = RowPolicy::error;     // a level that the model does not know
  std::vector<std::string> kept = {};      // columns to deliver as text, by name or number
  std::optional<std::size_t> target = {};  // one more, by its position

  bool is_forgiving() const { return missing != RowPolicy::error || unseen != RowPolicy::error; }
};

/// A row that was not delivered.
struct UnusableRow {
  std::size_t row = 0;  // of the file, counted from one
  bool is_missing = false;
  RowPolicy policy = RowPolicy::skip;
  std::vector<std::string> kept = {};  // the cells of RowOptions::kept
};

/// The rows of a chunk, and what belongs to them.
struct ModelChunk {
  Matrix rows;                       // rows x Model::features()
  std::vector<std::size_t> numbers;  // the rows' places in the file, counted from one
  TextColumns kept;                  // cells of RowOptions::kept, column by column
  std::vector<std::string> target;   // cells of RowOptions::target; empty without one
  std::vector<UnusableRow> unusable;
};

/// Reads a model's input from a data file, chunk by chunk: finds its columns (see match_features)
/// and, for a model that was trained on a table with text or missing values, encodes them.
class BISECTOR_EXPORT ModelRows {
 public:
  /// Selects the columns, so `reader` must not have been read from yet; it has to outlive this.
  /// `source` names it in errors. `dropped` columns do not count where columns are matched by
  /// position.
  ModelRows(DataReader& reader, std::string source, const Model& model,
            const std::vector<std::string>& dropped = {}, const RowOptions& options = {});

  /// The next rows x Model::features(), at most `max_rows`; no rows at the end. Throws UnusableCell
  /// with the place of a cell that the model cannot take, where the policy is RowPolicy::error.
  Matrix next(std::size_t max_rows) { return next_chunk(max_rows).rows; }
  /// The same with what belongs to the rows; at the end there may be rows that could not be used.
  ModelChunk next_chunk(std::size_t max_rows);

  /// All that are left.
  Matrix rest();

  /// The columns of the file, in the order of column_names().
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// The names of RowOptions::kept, "column 3" where the file has none.
  const std::vector<std::string>& kept_names() const { return kept_names_; }

 private:
  bool read_some(std::size_t max_rows, ModelChunk& chunk);
  Matrix encoded(const TextColumns& cells, std::size_t first_row) const;

  DataReader& reader_;
  std::string source_;
  std::optional<TableEncoding> encoding_;
  std::size_t features_;
  std::vector<std::size_t> columns_;
  RowOptions options_;
  std::vector<std::string> kept_names_;
  std::size_t rows_read_ = 0;
};

}  // namespace bisector
