// Reading rows of data in chunks: CSV, LIBSVM, NPY and NPZ behind one interface.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/limits.h"
#include "bisector/matrix.h"

namespace bisector {

/// How to read a data file. By default everything is detected automatically.
struct DataFormat {
  enum class Kind { automatic, csv, libsvm, npy, npz };
  enum class Header { automatic, yes, no };

  Kind kind = Kind::automatic;        // by content and file name
  char delimiter = '\0';              // CSV: ',', ';', tab, '|', or ' ' for any number of blanks
  Header header = Header::automatic;  // CSV: whether the first line has names
  std::string array = {};             // NPZ: the array of the rows; empty: "X", or the only matrix
  /// NPZ: the array of the target; empty: "y". It may also be a column of a table.
  std::string target_array = {};
  Limits limits = {};  // safety limits for the file
  /// Column names and levels of the model or the options. They decide whether an ambiguous first
  /// row of a CSV file has names.
  std::vector<std::string> known_names = {}, known_levels = {};
};

/// How a file was read, in words.
struct Reading {
  std::string summary = {};             // "CSV, separated by commas, names in the first row"
  std::vector<std::string> notes = {};  // doubtful decisions, with the option that changes them
  std::size_t names_line = 0;           // the line of the names; zero if they have none
};

/// A cell that a model cannot use and a RowPolicy can handle: a missing value, or an unknown
/// level.
class BISECTOR_EXPORT UnusableCell : public FormatError {
 public:
  explicit UnusableCell(const FormatError& error) : FormatError(error) {}
};

/// A chunk of rows: the numbers of the selected columns, and the text of the selected text columns.
struct DataChunk {
  Matrix numbers;                              // rows x numeric columns
  std::vector<std::vector<std::string>> text;  // one vector of rows per text column
  std::vector<std::size_t> lines = {};         // of the rows in a file of text; else empty
  std::size_t rows() const { return numbers.rows(); }
};

/// The columns to read, by position, in the order in which they are delivered.
struct ColumnSelection {
  std::vector<std::size_t> numbers;
  std::vector<std::size_t> text;
};

/// The columns of an open file.
struct Columns {
  std::size_t count = 0;
  std::vector<std::string> names = {};  // empty, or one per column
  bool has_meaningful_names = false;
  std::optional<std::size_t> index = {};  // an unnamed column that numbers the rows
  Reading reading = {};
};

/// An open file of rows. Reading never holds more than a chunk in memory, except for
/// Fortran-ordered arrays inside a compressed NPZ.
class BISECTOR_EXPORT DataReader {
 public:
  virtual ~DataReader() = default;

  /// Column names; empty when the file has none. A LIBSVM file has its label as column 0, named
  /// "label", and its features behind it, named "1", "2", and so on.
  virtual const std::vector<std::string>& names() const { return columns_.names; }
  /// The number of columns. For LIBSVM files: one more than the largest index, found by a pass over
  /// the file on opening.
  std::size_t columns() const { return columns_.count; }
  /// True if the names were given by the user (CSV header, `feature_names` of an NPZ) and can
  /// be matched with a model's.
  bool has_meaningful_names() const { return columns_.has_meaningful_names; }
  /// The format's own target: the label of a LIBSVM file, the array `y` of an NPZ.
  virtual std::optional<std::size_t> target() const { return std::nullopt; }
  /// An unnamed first column that numbers or names the rows, as pandas and R write it. It is not a
  /// feature.
  std::optional<std::size_t> index() const { return columns_.index; }
  /// How the file is read.
  const Reading& reading() const { return columns_.reading; }
  /// True for LIBSVM files, which omit zeros: columns after the last one may be selected and are
  /// zero.
  virtual bool is_sparse() const { return false; }
  /// Selects what read() delivers; call it before the first read. Throws InvalidInput for a column
  /// that the file does not have. By default every column is delivered as numbers.
  void select(ColumnSelection selection);
  /// The next rows, at most `max_rows`; a chunk of no rows at the end. Throws FormatError with file
  /// and line (binary files: the row) for a selected cell that is not a number, is NaN, infinite or
  /// beyond ±1e100 (UnusableCell if it is missing), and for a row of the wrong length. Text is
  /// delivered without quotes and, if it had none, without surrounding blanks; a number of a binary
  /// file as its shortest text.
  virtual DataChunk read(std::size_t max_rows) = 0;
  /// Skips rows without looking at their cells, at most `rows`; returns how many there were.
  virtual std::size_t skip(std::size_t rows);
  /// The fraction of the file read so far, for progress bars; nothing for a pipe.
  virtual std::optional<double> fraction_read() const = 0;

 protected:
  DataReader(std::string source, Columns columns);

  /// The name of the file in messages.
  const std::string& source() const { return source_; }
  /// The number of columns that can be selected.
  virtual std::size_t selectable() const { return columns(); }
  /// The selection, which cannot change any more; every read calls this first.
  const ColumnSelection& start();

 private:
  std::string source_;
  Columns columns_;
  ColumnSelection selection_;
  bool is_selected_ = false, is_started_ = false;
};

/// The file and the array of a name such as "images.npz:train", which open_data() takes. The array
/// is empty if the name is that of a file.
BISECTOR_EXPORT std::pair<std::filesystem::path, std::string> split_array(
    const std::filesystem::path& path);

/// Opens a file; "-" is standard input (text formats only). Throws FileError, FormatError for a
/// broken header or a broken LIBSVM file, and InvalidInput for an option that the file's format
/// does not have.
BISECTOR_EXPORT std::unique_ptr<DataReader> open_data(const std::filesystem::path& path,
                                                      const DataFormat& format = {});

/// Everything at once, for training sets and tests.
BISECTOR_EXPORT DataChunk read_all(DataReader& reader);

/// The columns of `reader` that hold a model's features. If both have names, columns are matched by
/// name: other columns are allowed, and a missing one is an error that names it. Otherwise columns
/// are matched by position after leaving out the `dropped` columns and the format's own target;
/// then the counts must agree. A file with as many columns as the training file (see
/// trained_columns) has the features at the same places.
BISECTOR_EXPORT std::vector<std::size_t> match_features(
    const DataReader& reader, const std::string& source,
    const std::vector<std::string>& feature_names, std::size_t features,
    const std::vector<std::string>& dropped = {}, const std::string& target = {});

/// The number of columns of a training file without names: the last column of the features, which
/// are named x2, x5, ..., and of the target, which is a column number. Zero for other names.
BISECTOR_EXPORT std::size_t trained_columns(const std::vector<std::string>& feature_names,
                                            const std::string& target);

/// True if columns are matched by name: the file and the model have names. Names x1, x2, ... of a
/// model only number the columns of a file without names, unless the file has one of them.
BISECTOR_EXPORT bool matches_by_name(const DataReader& reader,
                                     const std::vector<std::string>& feature_names);

/// The position of a column given by name, or by its number counted from one where no column has
/// that name. Throws InvalidInput, naming the columns there are.
BISECTOR_EXPORT std::size_t find_column(const DataReader& reader, const std::string& source,
                                        const std::string& column);

}  // namespace bisector
