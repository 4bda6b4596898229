// NumPy arrays and the library's matrices.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bisector/error.h"
#include "bisector/matrix.h"

namespace bisector::python {

namespace nb = nanobind;

/// Any layout. A float64 array is not copied; other types are converted.
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// For properties that return a new array.
inline constexpr auto kOwned = nb::rv_policy::move;

using Array1 = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Array2 = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using IndexArray = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

/// New, uninitialized memory that an array will own.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : values_(new T[size]) {}
  T* data() const { return values_.get(); }

  template <class Array>
  Array release(std::initializer_list<std::size_t> shape) {
    T* const values = values_.release();
    nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(values, shape, owner);
  }

 private:
  std::unique_ptr<T[]> values_;
};

template <class Array, class T, class Source>
Array array_from(const Source& source) {
  Buffer<T> buffer(source.size());
  T* next = buffer.data();
  for (const auto& value : source) *next++ = static_cast<T>(value);
  return buffer.template release<Array>({source.size()});
}

inline Array1 array(const std::vector<double>& values) {
  return array_from<Array1, double>(values);
}
inline IndexArray array(const std::vector<std::size_t>& values) {
  return array_from<IndexArray, std::int64_t>(values);
}

/// The matrix's own memory becomes the array's.
inline Array2 array(Matrix matrix) {
  const std::size_t rows = matrix.rows(), cols = matrix.cols();
  auto* const kept = new Matrix(std::move(matrix));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return Array2(kept->view().data(), {rows, cols}, owner);
}

inline std::vector<double> vector(const Vector& values) {
  return {values.data(), values.data() + values.shape(0)};
}

inline std::vector<std::size_t> indices(const Indices& values) {
  std::vector<std::size_t> result;
  result.reserve(values.shape(0));
  for (std::size_t n = 0; n < values.shape(0); ++n) {
    if (values.data()[n] < 0)
      throw InvalidInput("an index is " + std::to_string(values.data()[n]) +
                         ", expected 0 or more");
    result.push_back(static_cast<std::size_t>(values.data()[n]));
  }
  return result;
}

/// Parts of an array as rows: a view if the elements of a row are contiguous, else a copy.
class RowParts {
 public:
  explicit RowParts(const Rows& array) : array_(array) {}

  std::size_t rows() const { return array_.shape(0); }
  std::size_t cols() const { return array_.shape(1); }

  /// Valid until the next call.
  MatrixView<const double> part(std::size_t first, std::size_t count) {
    if (count == 0) return {array_.data(), 0, cols()};
    const std::int64_t row_stride = array_.stride(0), stride = array_.stride(1);
    const double* const begin = array_.data() + static_cast<std::int64_t>(first) * row_stride;
    const bool side_by_side = cols() < 2 || stride == 1;
    if (side_by_side && (count < 2 || row_stride >= static_cast<std::int64_t>(cols())))
      return {begin, count, cols(), count < 2 ? cols() : static_cast<std::size_t>(row_stride)};
    if (copy_.rows() < count) copy_ = Matrix(count, cols());
    for (std::size_t r = 0; r < count; ++r) {
      const double* const row = begin + static_cast<std::int64_t>(r) * row_stride;
      for (std::size_t d = 0; d < cols(); ++d)
        copy_(r, d) = row[static_cast<std::int64_t>(d) * stride];
    }
    return std::as_const(copy_).view().rows(0, count);
  }
  MatrixView<const double> all() { return part(0, rows()); }

 private:
  const Rows& array_;
  Matrix copy_;
};

inline Matrix matrix(const Rows& array) {
  RowParts parts(array);
  Matrix result(parts.rows(), parts.cols());
  const MatrixView<const double> rows = parts.all();
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t d = 0; d < rows.cols(); ++d) result(r, d) = rows(r, d);
  return result;
}

/// Rows with only their nonzero entries, as in scipy's CSR format.
struct SparseRows {
  Indices starts, columns;
  Vector values;
  std::size_t width = 0;
};

/// Converts to dense rows without an intermediate dense array.
inline Matrix matrix(const SparseRows& sparse) {
  const auto fail = [] { throw InvalidInput("sparse rows whose parts do not fit together"); };
  if (sparse.starts.shape(0) == 0 || sparse.columns.shape(0) != sparse.values.shape(0)) fail();
  const auto entries = static_cast<std::int64_t>(sparse.values.shape(0));
  const auto width = static_cast<std::int64_t>(sparse.width);
  Matrix result(sparse.starts.shape(0) - 1, sparse.width);
  for (std::size_t r = 0; r < result.rows(); ++r) {
    const std::int64_t begin = sparse.starts.data()[r], end = sparse.starts.data()[r + 1];
    if (begin < 0 || begin > end || end > entries) fail();
    for (std::int64_t e = begin; e < end; ++e) {
      const std::int64_t column = sparse.columns.data()[e];
      if (column < 0 || column >= width) fail();
      result(r, static_cast<std::size_t>(column)) += sparse.values.data()[e];
    }
  }
  return result;
}

/// Rows that stay in a file (bisector/io/rows_file.h).
struct RowsInFile {
  SharedMatrix rows;
};

/// From Rows, SparseRows or RowsInFile. (Not a std::variant: methods are one, and bound as a
/// class.)
inline SharedMatrix points_matrix(const nb::object& points) {
  if (nb::isinstance<RowsInFile>(points)) return nb::cast<const RowsInFile&>(points).rows;
  return nb::isinstance<SparseRows>(points) ? matrix(nb::cast<const SparseRows&>(points))
                                            : matrix(nb::cast<Rows>(points));
}

/// The matrix itself, read-only.
using View2 = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
inline View2 view_of(const SharedMatrix& matrix) {
  auto* const kept = new SharedMatrix(matrix);
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<SharedMatrix*>(p); });
  return View2(matrix->view().data(), {matrix->rows(), matrix->cols()}, owner);
}

/// A copy for a Python function, which may keep it.
inline Array2 array_of(MatrixView<const double> rows) {
  Matrix copy(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t d = 0; d < rows.cols(); ++d) copy(r, d) = rows(r, d);
  return array(std::move(copy));
}

/// The getter of a property that is a new array: a vector or a Matrix, a member or a function.
template <class T, class Member>
auto as_array(Member T::*member) {
  return [member](const T& self) {
    const auto& value = std::invoke(member, self);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Matrix>)
      return array_of(value.view());
    else
      return array(value);
  };
}

}  // namespace bisector::python
