// The right-hand side of a product in the panel layout that simd/kernels.h describes.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "bisector/matrix.h"
#include "core/simd/kernels.h"
#include "core/util/memory.h"

namespace bisector::linalg {

// A std::vector whose elements start on a cache line, for the operands of the vector kernels. Large
// ones ask for huge pages: a packed matrix is read panel by panel, and every panel is on other
// pages. Elements without an initial value are left as they are: workspaces are written before they
// are read, and zeros would cost as much as a pass over them.

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64}, kHugePage{std::size_t{2} << 20};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* memory = ::operator new(bytes, alignment_of(bytes));
    if (alignment_of(bytes) == kHugePage) util::advise_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* pointer, std::size_t n) {
    ::operator delete(pointer, alignment_of(n * sizeof(T)));
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0)
      ::new (static_cast<void*>(place)) U;
    else
      ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
  bool operator==(const CacheLineAllocator&) const { return true; }

 private:
  static std::align_val_t alignment_of(std::size_t bytes) {
    return bytes >= 2 * static_cast<std::size_t>(kHugePage) ? kHugePage : kAlignment;
  }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

template <class T>
class PackedMatrix {
 public:
  static constexpr std::size_t kWidth = simd::kPanelWidth<T>;

  PackedMatrix() = default;

  /// depth x columns = rows x cols of `matrix`.
  static PackedMatrix of(MatrixView<const double> matrix) {
    PackedMatrix packed(matrix.rows(), matrix.cols());
    for (std::size_t k = 0; k < matrix.rows(); ++k) {
      for (std::size_t n = 0; n < matrix.cols(); ++n)
        packed.at(k, n) = static_cast<T>(matrix(k, n));
    }
    return packed;
  }

  /// Calls fill(k, row) for every row of a depth x columns matrix.
  template <class Fill>
  static PackedMatrix of_rows(std::size_t depth, std::size_t columns, const Fill& fill) {
    PackedMatrix packed(depth, columns);
    std::vector<double> row(columns);
    for (std::size_t k = 0; k < depth; ++k) {
      fill(k, std::span<double>(row));
      for (std::size_t n = 0; n < columns; ++n) packed.at(k, n) = static_cast<T>(row[n]);
    }
    return packed;
  }

  /// depth x columns = cols x rows of `matrix`.
  static PackedMatrix of_transposed(MatrixView<const double> matrix) {
    PackedMatrix packed(matrix.cols(), matrix.rows());
    for (std::size_t n = 0; n < matrix.rows(); ++n) {
      for (std::size_t k = 0; k < matrix.cols(); ++k)
        packed.at(k, n) = static_cast<T>(matrix(n, k));
    }
    return packed;
  }

  std::size_t depth() const { return depth_; }
  std::size_t columns() const { return columns_; }
  std::size_t padded_columns() const { return round_up(columns_, kWidth); }
  std::size_t panel_stride() const { return depth_ * kWidth; }
  /// Where the panel that starts with column `column` (a multiple of the width) begins.
  const T* panel(std::size_t column) const {
    return data_.data() + column / kWidth * panel_stride();
  }

  /// The same operand from row `k` on: pass it with the unchanged panel_stride().
  const T* from_row(std::size_t k) const { return data_.data() + k * kWidth; }

 private:
  PackedMatrix(std::size_t depth, std::size_t columns)
      : depth_(depth), columns_(columns), data_(padded_columns() * depth, T{0}) {}
  T& at(std::size_t k, std::size_t n) {
    return data_[n / kWidth * panel_stride() + k * kWidth + n % kWidth];
  }

  std::size_t depth_ = 0, columns_ = 0;
  AlignedVector<T> data_;
};

}  // namespace bisector::linalg
