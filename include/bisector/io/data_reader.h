// Reading rows of data in chunks: CSV, LIBSVM sparse, NPY, NPZ, ARFF and, where somebody lends a
// reader, Parquet and Arrow behind one interface.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/export.h"
#include "bisector/limits.h"
#include "bisector/matrix.h"

namespace bisector {

class DataReader;

/// How to read a file of data; every default means "find out".
struct DataFormat {
  enum class Kind { automatic, csv, libsvm, npy, npz, arff, columnar };
  enum class Header { automatic, yes, no };

  Kind kind = Kind::automatic;        // by content and name
  char delimiter = '\0';              // CSV: ',', ';', tab, '|', or ' ' for any number of blanks
  Header header = Header::automatic;  // CSV: is the first line names?
  std::string array = {};             // NPZ: which array; empty: "X", or the only 2-D one
  std::string target_array = {};      // NPZ: which array is the target; empty: "y"
  Limits limits = {};                 // of what the file may ask for
  /// What is known of the table already, for a first row of a CSV file that could be read both
  /// ways: names of columns that somebody asked for, and levels that cells of rows may have.
  std::vector<std::string> known_names = {}, known_levels = {};
  /// Opens Parquet and Arrow files: bisector::open_columnar, where the component columnar is built.
  std::unique_ptr<DataReader> (*open_columnar)(const std::filesystem::path&,
                                               const DataFormat&) = nullptr;
};

/// What was found out about a file, for people.
struct Reading {
  std::string summary = {};             // "CSV, cells between commas, names in the first row"
  std::vector<std::string> notes = {};  // what could be otherwise, with the option that settles it
  std::size_t names_line = 0;           // where the names stand; zero where they have no line
};

/// A cell that a model cannot take and a RowPolicy may forgive: it has no value, or a level that
/// nobody knows.
class BISECTOR_EXPORT UnusableCell : public FormatError {
 public:
  UnusableCell(const FormatError& error, bool missing) : FormatError(error), is_missing(missing) {}
  bool is_missing;
};

/// A chunk of rows: the numbers of the selected columns, and the text of the selected text columns.
struct DataChunk {
  Matrix numbers;                              // rows x numeric columns
  std::vector<std::vector<std::string>> text;  // one vector of rows per text column
  std::size_t rows() const { return numbers.rows(); }
};

/// Which columns of a file are wanted, by position, in the order in which they are delivered.
struct ColumnSelection {
  std::vector<std::size_t> numbers;
  std::vector<std::size_t> text;
};

/// An open file of rows. Reading never holds more than a chunk in memory, except for
/// Fortran-ordered arrays inside a compressed NPZ.
class BISECTOR_EXPORT DataReader {
 public:
  virtual ~DataReader() = default;

  /// Column names; empty when the file has none. A LIBSVM file has its label as column 0, named
  /// "label", and its features behind it, named "1", "2", and so on.
  virtual const std::vector<std::string>& names() const = 0;
  /// The number of columns. For LIBSVM files: one more than the largest index, found by a pass over
  /// the file on opening.
  virtual std::size_t columns() const = 0;
  /// True where the columns' names were written by a person (CSV header, ARFF, an NPZ's
  /// `feature_names`) and so can be matched with a model's.
  virtual bool has_meaningful_names() const = 0;
  /// The column that the format itself sets apart from the features: the label of a LIBSVM file,
  /// the array `y` of an NPZ.
  virtual std::optional<std::size_t> target() const { return std::nullopt; }
  /// An unnamed first column that numbers or names the rows, as pandas and R write it: no feature.
  virtual std::optional<std::size_t> index() const { return std::nullopt; }
  /// The levels that the file declares for a column (ARFF's nominal types); none where it does not.
  virtual std::vector<std::string> levels(std::size_t /*column*/) const { return {}; }
  /// How the file is read.
  virtual const Reading& reading() const = 0;
  /// True for LIBSVM files: zeros are left out, so a column past the last one may be selected too,
  /// and holds nothing else.
  virtual bool is_sparse() const { return false; }
  /// Chooses what read() delivers; before the first read. Throws InvalidInput for a column that the
  /// file does not have. Without a call every column is delivered as numbers.
  virtual void select(ColumnSelection selection) = 0;
  /// The next rows, at most `max_rows`; a chunk of no rows at the end. Throws FormatError, with
  /// file and line (binary files: the row), for a selected cell that is not a number, is NaN,
  /// infinite or beyond ±1e100 (UnusableCell where it has no value), or for a row of the wrong
  /// length. Text is delivered as it stands,
  /// without quotes and, where it had none, without blanks around it; a number of a binary file as
  /// its shortest text.
  virtual DataChunk read(std::size_t max_rows) = 0;
  /// How much of the file has been read, from 0 to 1, for progress bars; nothing for a pipe.
  virtual std::optional<double> fraction_read() const = 0;
};

/// Opens a file; "-" is standard input (CSV only). Throws FileError, FormatError for content that
/// shows itself unreadable here already (a broken header, any broken pair of a LIBSVM file), and
/// InvalidInput for an option that the file's format does not have.
BISECTOR_EXPORT std::unique_ptr<DataReader> open_data(const std::filesystem::path& path,
                                                      const DataFormat& format = {});

/// A table that was converted to CSV, with names in its first row, and "" for an index: errors name
/// `source`, and count rows rather than lines.
BISECTOR_EXPORT std::unique_ptr<DataReader> open_converted(const std::filesystem::path& converted,
                                                           const std::string& source,
                                                           const Limits& limits = {});

/// Everything at once, for training sets and tests.
BISECTOR_EXPORT DataChunk read_all(DataReader& reader);

/// The columns of `reader` that hold a model's features: by name where both have names (more
/// columns are allowed, a missing one is an error that names it), else by position after leaving
/// out the `dropped` columns (and the label of a LIBSVM file); then the counts must agree.
BISECTOR_EXPORT std::vector<std::size_t> match_features(
    const DataReader& reader, const std::string& source,
    const std::vector<std::string>& feature_names, std::size_t features,
    const std::vector<std::string>& dropped = {});

/// True where columns are matched by name: the file has names, and so has the model, other than x1,
/// x2, ..., which only number the columns of a table without names.
BISECTOR_EXPORT bool matches_by_name(const DataReader& reader,
                                     const std::vector<std::string>& feature_names);
/// For a model of x2, x5, ...: these columns, where the file has more than the model, `dropped`
/// not counted, and has all of these.
BISECTOR_EXPORT std::optional<std::vector<std::size_t>> match_by_number(
    const DataReader& reader, const std::vector<std::string>& feature_names,
    std::size_t dropped = 0);

/// The position of a column given by name, or by its number counted from one where no column has
/// that name. Throws InvalidInput, naming the columns there are.
BISECTOR_EXPORT std::size_t find_column(const DataReader& reader, const std::string& source,
                                        const std::string& column);

}  // namespace bisector
