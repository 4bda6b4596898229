// What the verbs read: a model, and rows of data in the columns that the model wants.
#pragma once

#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_rows.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "cli/options/columnar_files.h"
#include "tools/progress.h"

namespace CLI {
class App;
}

namespace bisector::cli {

/// The model and the data of a command line.
struct InputArguments {
  std::filesystem::path model;     // with knn: the training rows
  std::filesystem::path data;      // may be empty where a verb has no use for data
  std::optional<std::size_t> knn;  // k: the model is made from the training rows
  std::string target;              // knn: the column of the labels; else that of the data's targets
  bool keeps_target = false;    // the data's targets, where they are there, go along with the rows
  std::filesystem::path range;  // how svm-scale scaled the rows that the model was trained on
  DataFormat format = {.open_columnar = columnar_reader()};
  std::vector<std::string> dropped;
  std::vector<std::string> dropped_of_others;  // of the files beside DATA, where it differs
  RowOptions rows;                             // of DATA
  std::ostream* notes = nullptr;               // where what was decided about a file is said
};

/// The positional MODEL and DATA, both required; `data` says what its rows are for.
void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data);
/// `purpose` is what the data's targets are kept for.
void add_knn_options(CLI::App& app, InputArguments& arguments,
                     const std::string& purpose = "to write behind the prediction");
void add_data_options(CLI::App& app, InputArguments& arguments);
/// For verbs with a background.
void add_background_drop(CLI::App& app, InputArguments& arguments);
/// What becomes of rows of DATA that the model cannot take; `can_mark`: the output has a place for
/// them.
void add_row_policies(CLI::App& app, InputArguments& arguments, bool can_mark);
/// Which columns go along into the output.
void add_keep_option(CLI::App& app, InputArguments& arguments);

/// What is said of an unnamed first column.
inline constexpr auto kIndexWords =
    "the first column has no name and is taken for an index of the rows";

/// Reads the model, or makes it from the training rows. Throws UsageError for a target without
/// knn.
Model load_model(const InputArguments& arguments);

/// The rows of a data file, in the order of the model's features. While one chunk is worked on, the
/// next is read.
class RowSource {
 public:
  /// Columns are matched by name or position. A sparse file with more features than the model has
  /// is allowed: widen() then gives the model that takes them.
  RowSource(const std::filesystem::path& path, const InputArguments& arguments, const Model& model);
  RowSource(const RowSource&) = delete;  // a read may be under way
  RowSource& operator=(const RowSource&) = delete;

  /// The model for these rows: the one given, with zero columns where a sparse file has more
  /// features.
  Model widen(const Model& model) const;
  /// The model's names, else the file's, else x1, x2, and so on.
  const std::vector<std::string>& feature_names() const { return names_; }
  /// What the targets that go along are called; nothing where there are none.
  const std::optional<std::string>& target_name() const { return target_name_; }
  /// The next rows, at most `most` (the same number in every call); none at the end.
  Matrix next(std::size_t most) { return next_chunk(most).rows; }
  ModelChunk next_chunk(std::size_t most);
  /// The names of the columns that are kept.
  const std::vector<std::string>& kept_names() const { return rows_->kept_names(); }
  /// Says how many rows were left out or marked, once all are read.
  void write_unusable(std::ostream& notes) const;
  /// The file's name in messages.
  const std::string& name() const { return source_; }
  /// How much of the file the rows so far were, where that is known.
  std::optional<double> fraction_read() const { return fraction_; }

 private:
  std::string source_;
  Limits limits_;
  std::unique_ptr<DataReader> reader_;
  std::size_t features_ = 0;
  std::optional<ModelRows> rows_;
  std::vector<std::string> names_;
  std::optional<std::string> target_name_;
  std::optional<double> fraction_;
  std::size_t missing_ = 0, unseen_ = 0;  // rows that could not be used
  std::optional<std::size_t> first_unusable_;
  struct Chunk {
    ModelChunk rows;
    std::optional<double> fraction;
  };
  std::future<Chunk> ahead_;  // behind the readers, so that it ends first
};

/// Calls work(first row, chunk) for every chunk of `size` rows, the rows that can be used counted
/// from one, and shows progress. The last chunk may have no rows but such that cannot be used.
template <class Work>
void for_each_chunk(RowSource& source, std::size_t size, tools::Progress& progress,
                    const Work& work) {
  std::size_t done = 0, rows = 0;
  do {
    const ModelChunk chunk = source.next_chunk(size);
    rows = chunk.rows.rows();
    try {
      if (rows > 0 || !chunk.unusable.empty()) work(done + 1, chunk);
    } catch (const InvalidRow& error) {
      throw error.in(source.name(), chunk.numbers.front() - 1);
    }
    done += rows;
    progress.update(done, source.fraction_read());
  } while (rows > 0);
}

/// Says how many rows are where the model has seen nothing, if there are any.
void note_outside(std::size_t rows, const std::string& source, std::ostream& notes);

/// Rows in memory at a time where nobody says how many: fewer where they are wide.
std::size_t default_chunk_rows(std::size_t features);

/// All rows of a file beside the data, such as the background.
Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model);

}  // namespace bisector::cli
