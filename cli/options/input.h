// Options for the model and the data files of a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/bundle_extras.h"
#include "bisector/io/row_source.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "tools/progress.h"

namespace CLI {
class App;
}

namespace bisector::cli {

/// A limit of one verb, beside those of files.
struct OwnLimit {
  std::string name;
  std::function<void(std::uint64_t)> set;
};

/// Adds --limit NAME=N, which may be given several times, for each of the limits.
void add_limit_option(CLI::App& app, Limits& limits, std::vector<OwnLimit> own = {});

/// The formats of data files, for help texts.
inline constexpr auto kDataFormats =
    "CSV or LIBSVM (plain, gzip or zstd), NPY, NPZ (an array: FILE.npz:NAME) or - (standard input)";

/// The formats of model files, for help texts.
inline constexpr auto kModelFormats = "A LIBSVM model file or an .npz bundle";

/// The model and the data of a command line.
struct InputArguments {
  std::filesystem::path model;     // with --knn: the training rows
  std::filesystem::path data;      // may be empty if the verb needs no data
  std::optional<std::size_t> knn;  // k of a model made from the training rows
  std::string target;              // the column that is predicted; empty: the model's own
  bool keeps_target = false;       // the verb reads the targets of DATA, if there are any
  DataFormat format;
  std::vector<std::string> dropped;
  RowOptions rows;                   // of DATA
  std::optional<std::size_t> chunk;  // rows in memory at a time
  std::ostream* notes = nullptr;     // stream for notes about the files
};

/// The group of the options below.
inline constexpr auto kTableGroup = "Reading tables";

/// The positional arguments MODEL and DATA; `data` describes the rows.
void add_input_files(CLI::App& app, InputArguments& arguments, const std::string& data,
                     bool is_data_required = true);
/// For verbs that can make the model from a table.
void add_knn_option(CLI::App& app, InputArguments& arguments);
/// How tables are read: --target, --drop, --delimiter, --header and --limit.
void add_table_options(CLI::App& app, InputArguments& arguments, const std::string& no_target,
                       std::vector<OwnLimit> own = {});
/// Those of verbs that read rows for a model: also --missing.
void add_model_table_options(CLI::App& app, InputArguments& arguments,
                             std::vector<OwnLimit> own = {});
/// The limit of rows in memory, for verbs that read rows in chunks.
OwnLimit chunk_limit(InputArguments& arguments);
/// Columns to copy to the output.
void add_keep_option(CLI::App& app, InputArguments& arguments);

/// Reads the model, or makes it from the training rows.
Model load_model(const InputArguments& arguments);
/// What the model file has beside the model; nothing with --knn.
BundleExtras load_extras(const InputArguments& arguments);

/// The rows of a file for the model, with the options of the command line. Notes are written.
class RowSource : public bisector::RowSource {
 public:
  RowSource(const std::filesystem::path& path, const InputArguments& arguments, const Model& model);
  /// Writes how many rows were skipped or marked; call it after the last chunk.
  void write_unusable(std::ostream& notes) const;

 private:
  RowPolicy policy_;
};

/// Calls work(first row, chunk) for every chunk of `size` rows and shows progress. The first row is
/// counted from one over the rows that can be used. The last chunk may have unusable rows only.
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
      throw chunk.error_in(source.name(), error.row(), error.problem());
    }
    done += rows;
    progress.update(done, source.fraction_read());
  } while (rows > 0);
}

/// What to know of predictions: how many rows are far from the training data, if they are many, and
/// how many have no training row within the radius of a neighbor model.
std::vector<std::string> prediction_notes(std::size_t rows, std::size_t outside,
                                          std::size_t without_neighbors, const std::string& source);
inline void write_notes(const std::vector<std::string>& sentences, std::ostream& notes) {
  for (const std::string& sentence : sentences) notes << "note: " << sentence << '\n';
}

/// All rows of a file other than DATA, such as the background.
Matrix read_rows(const std::filesystem::path& path, const InputArguments& arguments,
                 const Model& model);

}  // namespace bisector::cli
