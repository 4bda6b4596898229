// The rows of a data file for a model: which columns are features, which column is the target,
// and what happens to rows that the model cannot use.
#pragma once

#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_rows.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

struct RowSourceOptions {
  DataFormat format = {};                 // the model's own column names and levels are added
  std::vector<std::string> dropped = {};  // columns to leave out, by name or number
  /// The file may lack the dropped columns and the target, as a background file may. They are
  /// left out only if columns are matched by position and the file has too many.
  bool is_drop_optional = false;
  std::string target = {};       // the target column, by name or number; empty: the model's own
  bool delivers_target = false;  // deliver the targets with the rows, if the file has them
  RowOptions rows = {};
};

/// The rows that a policy skipped or marked, for one reason.
struct SkippedRows {
  std::size_t count = 0;
  std::size_t first = 0;  // row number of the first one, counted from one
};

/// Reads rows in the order of the model's features. The next chunk is read in the background.
class BISECTOR_EXPORT RowSource {
 public:
  /// Columns are matched by name, or else by position. A sparse file may have more features than
  /// the model; widen() then returns the model for them. Throws as open_data() and ModelRows do.
  RowSource(const std::filesystem::path& path, const RowSourceOptions& options, const Model& model);
  RowSource(const RowSource&) = delete;  // a background read may refer to this object
  RowSource& operator=(const RowSource&) = delete;

  /// The model for these rows: `model`, with zero columns for additional features of a sparse file.
  Model widen(const Model& model) const;
  /// The model's feature names, or else the file's, or else x1, x2, ...
  const std::vector<std::string>& feature_names() const { return names_; }
  /// The name of the target column, if targets are delivered.
  const std::optional<std::string>& target_name() const { return target_name_; }
  /// The names of the columns of RowOptions::kept.
  const std::vector<std::string>& kept_names() const { return rows_->kept_names(); }
  /// How the file was read, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The file name for messages.
  const std::string& name() const { return source_; }

  /// The next rows, at most `most` (the same number in every call); no rows at the end.
  Matrix next(std::size_t most) { return next_chunk(most).rows; }
  ModelChunk next_chunk(std::size_t most);
  /// All remaining rows.
  Matrix rest();
  /// The fraction of the file read so far, if it is known.
  std::optional<double> fraction_read() const { return fraction_; }
  /// The number of the last row so far that the model can use, counted from one in the file; the
  /// number of rows so far if only one is read.
  std::size_t last_row() const { return last_row_; }
  /// Rows without a value, and rows with a level that the model does not know.
  const SkippedRows& missing() const { return missing_; }
  const SkippedRows& unseen() const { return unseen_; }

 private:
  void note_reading(const Model& model);

  std::string source_;
  Limits limits_;
  std::unique_ptr<DataReader> reader_;
  std::size_t features_ = 0;
  bool is_only_row_ = false;        // one row is read, see RowOptions
  bool has_number_target_ = false;  // targets are numbers, also if they become two classes
  std::optional<ModelRows> rows_;
  std::vector<std::string> names_, notes_;
  std::optional<std::string> target_name_;
  std::optional<double> fraction_;
  std::size_t last_row_ = 0;
  SkippedRows missing_, unseen_;
  struct Chunk {
    ModelChunk rows;
    std::optional<double> fraction;
  };
  std::future<Chunk> ahead_;  // declared last, so that it is waited for before the readers end
};

/// The default number of rows per chunk; fewer for wide rows.
BISECTOR_EXPORT std::size_t default_chunk_rows(std::size_t features);

}  // namespace bisector
