// Rows of a data file in the form that a model reads.
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

/// The number of columns that a model reads: those of its table encoding, or else its features.
BISECTOR_EXPORT std::size_t column_count(const Model& model);
/// Their names; empty if columns are matched by position.
BISECTOR_EXPORT std::vector<std::string> column_names(const Model& model);

/// What happens to a row with a cell that the model cannot use.
enum class RowPolicy {
  error,
  skip,  // the row is left out
  mark   // the row is left out, and the output has a line without results for it
};

struct RowOptions {
  /// For a missing value that the model cannot impute, and for a level that it does not know.
  RowPolicy missing = RowPolicy::error;
  std::vector<std::string> kept = {};      // columns to deliver as text, by name or number
  std::optional<std::size_t> target = {};  // the column of the targets, by position
  /// The number of the only row to read, counted from one. The other rows may be unreadable.
  std::optional<std::size_t> only_row = {};

  bool is_forgiving() const { return missing != RowPolicy::error; }
};

/// A row that was skipped or marked.
struct UnusableRow {
  std::size_t row = 0;      // its number in the file, counted from one
  bool is_missing = false;  // a value is missing; otherwise a level is unknown
  RowPolicy policy = RowPolicy::skip;
  std::vector<std::string> kept = {};  // its cells of RowOptions::kept
  std::string target = {};             // its cell of RowOptions::target
};

/// A chunk of rows with their row numbers and text cells.
struct ModelChunk {
  Matrix rows;                       // rows x Model::features()
  std::vector<std::size_t> numbers;  // row numbers in the file, counted from one
  std::vector<std::size_t> lines;    // their lines in a file of text; else empty
  TextColumns kept;                  // cells of RowOptions::kept, column by column
  std::vector<std::string> target;   // cells of RowOptions::target; empty without a target
  std::vector<UnusableRow> unusable;
  ImputedColumns
      imputed;  // one list per row, of column_names(); empty if the model imputes nothing

  /// The error of a row, which names its line in the file, or else its number.
  BISECTOR_EXPORT FormatError error_in(const std::string& source, std::size_t row,
                                       const std::string& problem) const;
};

/// Reads a model's input from a data file in chunks: matches the columns (see match_features) and
/// encodes them if the model was trained on a table with text or missing values.
class BISECTOR_EXPORT ModelRows {
 public:
  /// Selects columns of `reader`, so nothing may have been read from it yet; it must outlive this
  /// object. `source` is the file's name in errors. `dropped` columns are left out if columns are
  /// matched by position.
  ModelRows(DataReader& reader, std::string source, const Model& model,
            const std::vector<std::string>& dropped = {}, const RowOptions& options = {});

  /// The next rows x Model::features(), at most `max_rows`; no rows at the end. Throws UnusableCell
  /// with the row and column of a cell that the model cannot use, if the policy is error.
  Matrix next(std::size_t max_rows) { return next_chunk(max_rows).rows; }
  /// The rows with their numbers and text cells. The last chunk may have unusable rows only.
  ModelChunk next_chunk(std::size_t max_rows);

  /// The columns of the file, in the order of column_names().
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// The names of RowOptions::kept; "column 3" if the file has no names.
  const std::vector<std::string>& kept_names() const { return kept_names_; }
  /// The number of rows read or skipped so far.
  std::size_t rows_read() const { return rows_read_; }

 private:
  bool read_some(std::size_t max_rows, ModelChunk& chunk);
  void refuse_misread(const TextColumns& cells, const ModelChunk& chunk) const;
  void encode(const TextColumns& cells, ModelChunk& chunk) const;

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
