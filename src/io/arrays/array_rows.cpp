#include "io/arrays/array_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "bisector/error.h"

namespace bisector::io {
namespace {

// An array of no rows has no bytes, so the file size does not limit its number of columns.
constexpr std::size_t kMaxColumnsOfNothing = 1'000'000;

/// Small enough to stay in the cache while its columns are read.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

std::size_t block_rows_of(std::size_t row_bytes) {
  return std::max<std::size_t>(1, kBlockBytes / row_bytes);
}

class SequentialRows : public ArrayRows {
 public:
  SequentialRows(NpyHeader header, ReadExactly read)
      : ArrayRows(std::move(header)), read_(std::move(read)) {}

  std::size_t block_rows() const override { return block_rows_of(row_bytes()); }
  void advance(std::size_t count) override {
    block_.resize(count * row_bytes());
    read_(block_);
  }
  Slice column(std::size_t column) override {
    return {block_.data() + column * header().item_size, row_bytes()};
  }

 private:
  std::size_t row_bytes() const { return columns() * header().item_size; }

  ReadExactly read_;
  std::vector<char> block_;
};

class ColumnMajorRows : public ArrayRows {
 public:
  ColumnMajorRows(NpyHeader header, ReadAt read)
      : ArrayRows(std::move(header)), read_(std::move(read)) {}

  // A block is a slice of one column, and each needs a seek in the file.
  std::size_t block_rows() const override { return block_rows_of(header().item_size); }
  void advance(std::size_t count) override { first_ += std::exchange(count_, count); }
  Slice column(std::size_t column) override {
    const std::size_t size = header().item_size;
    slice_.resize(count_ * size);
    read_((column * rows() + first_) * size, slice_);
    return {slice_.data(), size};
  }

 private:
  ReadAt read_;
  std::vector<char> slice_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace

NpyHeader as_table(NpyHeader header, std::string_view source) {
  require_numeric(header, source);
  auto& shape = header.shape;
  const bool can_flatten = shape.size() > 2 && !header.fortran;
  if (shape.size() != 1 && shape.size() != 2 && !can_flatten)
    throw FormatError(
        source, 0,
        fmt::format("an array of shape ({}){}, expected two dimensions: rows and columns",
                    fmt::join(shape, ", "), header.fortran ? " in Fortran order" : ""));
  if (can_flatten) {
    // This cannot overflow, because the parser of the header has checked the product.
    const std::size_t columns =
        std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
    shape = {shape[0], columns};
  }
  if (shape.size() == 1) return header;
  const auto claim = fmt::format("an array of {} rows and {} columns", shape[0], shape[1]);
  if (shape[1] == 0) throw FormatError(source, 0, claim + ", expected at least one column");
  if (shape[0] == 0 && shape[1] > kMaxColumnsOfNothing)
    throw FormatError(source, 0, claim + ", expected rows");
  return header;
}

bool is_row_major(const NpyHeader& header) {
  return !header.fortran || header.shape.size() == 1 || header.shape[1] == 1;
}

std::unique_ptr<ArrayRows> sequential_rows(NpyHeader header, ReadExactly read) {
  return std::make_unique<SequentialRows>(std::move(header), std::move(read));
}

std::unique_ptr<ArrayRows> column_major_rows(NpyHeader header, ReadAt read) {
  return std::make_unique<ColumnMajorRows>(std::move(header), std::move(read));
}

}  // namespace bisector::io
