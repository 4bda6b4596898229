// Arrays with the same number of rows, read as one table: NPY files and NPZ archives.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/io/data_reader.h"
#include "io/arrays/array_rows.h"
#include "io/common/input_file.h"

namespace bisector::io {

/// Opens a file with one array of numbers. Its size is compared with the file's before reading.
std::unique_ptr<DataReader> open_npy(InputFile file);

/// Reads the format's array; for an empty one "X", or the only array of numbers that has two
/// dimensions. A text array `feature_names` names its columns, and the format's target array, or
/// `y`, with one element for each row is the last column. Throws InvalidInput, listing the arrays,
/// if the choice fails.
std::unique_ptr<DataReader> open_npz(const std::filesystem::path& path, const DataFormat& format);

/// Reads arrays with the same number of rows side by side.
class ArrayReader : public DataReader {
 public:
  /// The first array has passed as_table(). The second one is the target in one dimension, numbers
  /// or text. `is_packed`: a compressed array may have fewer rows than its header says.
  ArrayReader(std::string source, Columns columns, bool is_packed, std::unique_ptr<ArrayRows> table,
              std::unique_ptr<ArrayRows> target = nullptr);

  std::optional<std::size_t> target() const override;
  DataChunk read(std::size_t max_rows) override;
  std::size_t skip(std::size_t rows) override;
  std::optional<double> fraction_read() const override;

 private:
  /// The array of a column, and the position in it.
  struct Place {
    ArrayRows& array;
    std::size_t column;
  };
  std::size_t block_rows() const;
  Place place(std::size_t column);
  bool wants(const ColumnSelection& selection, const ArrayRows& array);
  void advance(const ColumnSelection& selection, std::size_t count);
  /// A cell that is not a number, with its row in the block.
  struct BadCell {
    std::size_t row, column;
    std::string text, problem;
  };
  /// The first bad cell of the column, if there is one.
  std::optional<BadCell> add_numbers(std::size_t column, std::span<double> numbers,
                                     std::size_t stride);
  void add_text(std::size_t column, std::size_t count, std::vector<std::string>& text);
  [[noreturn]] void refuse(const BadCell& cell) const;

  bool is_packed_;
  std::unique_ptr<ArrayRows> table_, target_;
  std::size_t next_row_ = 0;  // the first row of the current block
};

}  // namespace bisector::io
