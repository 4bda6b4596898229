// NPY files, and what they share with NPZ archives: arrays side by side, read as one table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/arrays/array_rows.h"
#include "io/common/base_reader.h"
#include "io/common/input_file.h"

namespace bisector::io {

/// The file holds one array of numbers, whose size is checked against the file's before any of it
/// is read.
std::unique_ptr<DataReader> open_npy(InputFile file);

/// Arrays with as many rows each, their columns behind one another.
class ArrayReader : public BaseReader {
 public:
  /// The first array has passed as_table(). A second one holds the target in one dimension, as
  /// numbers or text. `is_packed`: whether there are as many rows as the header says will only be
  /// seen.
  ArrayReader(std::string source, Columns columns, bool is_packed, std::unique_ptr<ArrayRows> table,
              std::unique_ptr<ArrayRows> target = nullptr);

  std::optional<std::size_t> target() const override;
  DataChunk read(std::size_t max_rows) override;
  std::optional<double> fraction_read() const override;

 private:
  /// A column's array, and its place there.
  struct Place {
    ArrayRows& array;
    std::size_t column;
  };
  std::size_t block_rows() const;
  Place place(std::size_t column);
  bool wants(const ColumnSelection& selection, const ArrayRows& array);
  void advance(const ColumnSelection& selection, std::size_t count);
  /// A cell that is no number, with its row in the block.
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
  std::size_t next_row_ = 0;  // the first row of the block at hand
};

}  // namespace bisector::io
