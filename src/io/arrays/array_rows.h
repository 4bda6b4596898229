// The rows of a NumPy array, block by block, in whatever order its elements stand.
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

/// Fills the span with the elements' bytes from `offset`, counted from the first element; or
/// throws.
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

  /// How many rows are best taken at a time.
  virtual std::size_t block_rows() const = 0;
  /// Steps to the next `count` rows, which must be there.
  virtual void advance(std::size_t count) = 0;
  /// One column of these rows; valid until the next call of either function.
  virtual Slice column(std::size_t column) = 0;

 protected:
  explicit ArrayRows(NpyHeader header) : header_(std::move(header)) {}

 private:
  NpyHeader header_;
};

/// The header of a table: numbers, in one or two dimensions, with at least one column. Further
/// dimensions of a C-ordered array (the pixels of images, say) are laid out as columns. Throws
/// FormatError for anything else.
NpyHeader as_table(NpyHeader header, std::string_view source);

/// True where a row's elements stand together, so that the rows can be read one after the other.
bool is_row_major(const NpyHeader& header);
/// For is_row_major() arrays: each advance() reads the next bytes.
std::unique_ptr<ArrayRows> sequential_rows(NpyHeader header, ReadExactly read);
/// For the others: each column() reads its slice from where it stands.
std::unique_ptr<ArrayRows> column_major_rows(NpyHeader header, ReadAt read);

}  // namespace bisector::io
