// Matrix, MatrixView and SharedMatrix: row-major doubles with their shape, and FileRows: rows that
// stay in a file. No arithmetic lives here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// A rectangle of elements owned by someone else; `stride` elements from one row to the next.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : MatrixView(data, rows, cols, cols) {}
  MatrixView(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  /// A view of mutable elements is also a view of constant ones.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data_, rows_, cols_, stride_};
  }

  T* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  T& operator()(std::size_t row, std::size_t col) const { return data_[row * stride_ + col]; }
  std::span<T> row(std::size_t row) const { return {data_ + row * stride_, cols_}; }
  MatrixView rows(std::size_t first, std::size_t count) const {
    return {data_ + first * stride_, count, cols_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0, stride_ = 0;
};

/// A dense row-major matrix of doubles.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, double fill = 0.0)
      : rows_(rows), cols_(cols), values_(rows * cols, fill) {}
  /// Row after row. Throws std::invalid_argument unless there are rows * cols values.
  Matrix(std::size_t rows, std::size_t cols, std::vector<double> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {
    const bool fits =
        cols == 0 ? values_.empty() : values_.size() % cols == 0 && values_.size() / cols == rows;
    if (!fits)
      throw std::invalid_argument("a matrix of " + std::to_string(rows) + " x " +
                                  std::to_string(cols) + " numbers was given " +
                                  std::to_string(values_.size()) + ", expected one for each entry");
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  double& operator()(std::size_t row, std::size_t col) { return values_[row * cols_ + col]; }
  double operator()(std::size_t row, std::size_t col) const { return values_[row * cols_ + col]; }
  std::span<double> row(std::size_t row) { return {values_.data() + row * cols_, cols_}; }
  std::span<const double> row(std::size_t row) const {
    return {values_.data() + row * cols_, cols_};
  }
  MatrixView<double> view() { return {values_.data(), rows_, cols_}; }
  MatrixView<const double> view() const { return {values_.data(), rows_, cols_}; }
  operator MatrixView<const double>() const { return view(); }
  const std::vector<double>& values() const { return values_; }

  bool operator==(const Matrix&) const = default;

 private:
  std::size_t rows_ = 0, cols_ = 0;
  std::vector<double> values_;
};

/// The rows with these numbers, in this order.
inline Matrix gather_rows(MatrixView<const double> rows, std::span<const std::size_t> numbers) {
  Matrix gathered(numbers.size(), rows.cols());
  for (std::size_t r = 0; r < numbers.size(); ++r)
    std::ranges::copy(rows.row(numbers[r]), gathered.row(r).begin());
  return gathered;
}

/// Rows of single-precision numbers that stay in a file and are read when they are needed
/// (bisector/io/rows_file.h opens one). Safe to share between threads.
class BISECTOR_EXPORT FileRows {
 public:
  FileRows(std::string path, std::size_t rows, std::size_t cols)
      : path_(std::move(path)), rows_(rows), cols_(cols) {}
  FileRows(const FileRows&) = delete;
  FileRows& operator=(const FileRows&) = delete;
  virtual ~FileRows();

  const std::string& path() const { return path_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  /// Fills `numbers` with consecutive rows, from row `first` on. Throws FileError.
  virtual void read(std::size_t first, std::span<float> numbers) const = 0;

 private:
  std::string path_;
  std::size_t rows_, cols_;
};

/// A matrix that never changes and belongs to all who refer to it: a copy copies no element, and
/// the elements live as long as the last of them. Its rows are in memory or in a file.
class BISECTOR_EXPORT SharedMatrix {
 public:
  SharedMatrix(Matrix matrix) : matrix_(std::make_shared<const Matrix>(std::move(matrix))) {}
  explicit SharedMatrix(std::shared_ptr<const FileRows> file) : file_(std::move(file)) {}
  // Copies only: what was moved from would refer to nothing.
  SharedMatrix(const SharedMatrix&) = default;
  SharedMatrix& operator=(const SharedMatrix&) = default;

  std::size_t rows() const { return file_ ? file_->rows() : matrix_->rows(); }
  std::size_t cols() const { return file_ ? file_->cols() : matrix_->cols(); }
  /// The file that has the rows; null if they are in memory.
  const FileRows* file() const { return file_.get(); }

  /// The matrix in memory. Throws InvalidInput if the rows are in a file.
  const Matrix& operator*() const { return file_ ? refuse() : *matrix_; }
  const Matrix* operator->() const { return &**this; }

  /// One row, in memory or read into `buffer`.
  std::span<const double> row(std::size_t row, std::vector<double>& buffer) const {
    return file_ ? read_row(row, buffer) : matrix_->row(row);
  }
  /// The rows with these numbers, in this order.
  Matrix gather(std::span<const std::size_t> numbers) const;
  /// Calls use(first, rows) for all rows in their order, some at a time: rows in memory at once.
  template <class Use>
  void for_each_block(const Use& use) const {
    if (!file_) return use(std::size_t{0}, matrix_->view());
    Matrix buffer;
    for (std::size_t first = 0; first < rows(); first += buffer.rows()) {
      read_block(first, buffer);
      use(first, std::as_const(buffer).view());
    }
  }

  /// By the elements.
  bool operator==(const SharedMatrix& other) const;

 private:
  [[noreturn]] const Matrix& refuse() const;
  std::span<const double> read_row(std::size_t row, std::vector<double>& buffer) const;
  void read_block(std::size_t first, Matrix& block) const;

  std::shared_ptr<const Matrix> matrix_;  // null if the rows are in a file
  std::shared_ptr<const FileRows> file_;
};

}  // namespace bisector
