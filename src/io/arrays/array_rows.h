// The rows of a NumPy array in blocks, for any order of its elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "io/arrays/npy.h"

namespace bisector::io {

/// Fills the span with bytes from `offset`, counted from the first element, or throws.
using ReadAt = std::function<void(std::uint64_t offset, std::span<char>)>;

class ArrayRows {
 public:
  /// Elements of one column within a block: the first, and the bytes from one row to the next.
  struct Slice {
    const char* first;
    std::size_t stride;
    std::string_view element(std::size_t row, std::size_t size) const {
      return {first + row * stride, size};
    }
  };

  virtual ~ArrayRows() = default;
  const NpyHeader& header() const { return header_; }
  std::size_t rows() const { return header_.shape[0]; }
  std::size_t columns() const { return header_.shape.size() == 1 ? 1 : header_.shape[1]; }

  /// The best number of rows per block.
  virtual std::size_t block_rows() const = 0;
  /// Reads the next `count` rows, which must exist.
  virtual void advance(std::size_t count) = 0;
  /// One column of these rows; valid until the next call of either function.
  virtual Slice column(std::size_t column) = 0;

 protected:
  explicit ArrayRows(NpyHeader header) : header_(std::move(header)) {}

 private:
  NpyHeader header_;
};

/// The header of a table: numbers in one or two dimensions, with at least one column. More
/// dimensions of a C-ordered array, such as pixels of images, become columns. Throws FormatError
/// otherwise.
NpyHeader as_table(NpyHeader header, std::string_view source);

/// True if the elements of a row are adjacent, so that rows can be read in order.
bool is_row_major(const NpyHeader& header);
/// For is_row_major() arrays: each advance() reads the next bytes.
std::unique_ptr<ArrayRows> sequential_rows(NpyHeader header, ReadExactly read);
/// For other arrays: each column() reads its slice at its offset.
std::unique_ptr<ArrayRows> column_major_rows(NpyHeader header, ReadAt read);

}  // namespace bisector::io
