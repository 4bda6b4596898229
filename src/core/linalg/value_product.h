// The second product of a pass: weights times the values of points, which are given as rows or are
// the moments of the points. Moments are stored for small models, and computed in the product else.
#pragma once

#include <cstddef>
#include <optional>

#include "bisector/matrix.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/point_set.h"

namespace bisector::linalg {

/// The most points that take part in one product.
inline constexpr std::size_t kLongestTile = 528;

template <class T>
class ValueProduct {
 public:
  /// Without `values`, SxV, the values are a point's coordinates relative to the center and, with
  /// two moments, then their squares.
  ValueProduct(SharedPoints points, std::optional<SharedMatrix> values, std::size_t moments);

  /// Numbers from one row of sums to the next.
  static std::size_t stride(std::size_t columns);

  /// Adds the first `columns` values of `count` points from `first` on, times their weights, to
  /// `rows` rows of sums; or puts them there, unless `accumulate`.
  void add(const T* weights, std::size_t weight_stride, std::size_t rows, std::size_t first,
           std::size_t count, std::size_t columns, bool accumulate, T* sums) const;

 private:
  void pack(std::size_t columns);

  SharedPoints points_;
  std::optional<SharedMatrix> values_;  // S x V
  /// Kept for small models, and in single precision, where the values take no more than the points
  /// themselves and rounding them for every tile would cost more than the fast product saves.
  std::optional<PackedMatrix<T>> packed_;
};

}  // namespace bisector::linalg
