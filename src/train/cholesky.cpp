#include "train/cholesky.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bisector/error.h"
#include "core/linalg/packed_matrix.h"
#include "core/util/parallel.h"
#include "train/blas.h"
#include "train/dense.h"

namespace bisector::detail {

namespace {

constexpr std::size_t kBlock = 192, kRows = 128;

/// `first` is where the block of `size` rows stands in a matrix of `stride` rows.
void factor_diagonal(double* block, std::size_t size, std::size_t stride, std::size_t first) {
  if (const std::size_t row = factor_lower(block, size, stride); row > 0)
    throw InvalidInput(
        fmt::format("the matrix of {} rows is not positive definite in double precision (row {})",
                    stride, first + row));
}

/// Rows `below` and further, less the products of their columns `first` ... `below`, up to the
/// diagonal.
void subtract_products(Matrix& matrix, std::size_t first, std::size_t below) {
  const std::size_t size = matrix.rows(), left = size - below, depth = below - first;
  const MatrixView<const double> panel(matrix.row(below).data() + first, left, depth, size);
  const auto packed = linalg::PackedMatrix<double>::of_transposed(panel);
  util::parallel_for((left + kRows - 1) / kRows, 0, [&] {
    return [&, products = linalg::AlignedVector<double>()](std::size_t tile) mutable {
      const std::size_t row = tile * kRows, rows = std::min(kRows, left - row);
      const std::size_t columns = row + rows, stride = linalg::round_up(columns, packed.kWidth);
      products.resize(rows * stride);
      simd::kernels<double>().multiply(panel.row(row).data(), size, rows, packed.panel(0),
                                       packed.panel_stride(), depth, columns, products.data(),
                                       stride, false);
      for (std::size_t r = 0; r < rows; ++r) {
        const auto target = matrix.row(below + row + r).subspan(below, columns);
        for (std::size_t c = 0; c < columns; ++c) target[c] -= products[r * stride + c];
      }
    };
  });
}

}  // namespace

void factor(Matrix& matrix) {
  factor_diagonal(matrix.view().data(), matrix.rows(), matrix.rows(), 0);
}

void factor_by_blocks(Matrix& matrix) {
  const std::size_t size = matrix.rows();
  for (std::size_t first = 0; first < size; first += kBlock) {
    const std::size_t below = std::min(first + kBlock, size);
    double* diagonal = matrix.row(first).data() + first;
    factor_diagonal(diagonal, below - first, size, first);
    if (below == size) return;
    solve_panel(diagonal, below - first, size, matrix.row(below).data() + first, size - below);
    subtract_products(matrix, first, below);
  }
}

std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right) {
  if (matrix.rows() != matrix.cols() || matrix.rows() != right.size() || right.empty() ||
      right.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InvalidInput(
        fmt::format("a system of {} x {} with {} on its right, expected n x n with n",
                    matrix.rows(), matrix.cols(), right.size()));
  if (has_lapack() && blas_recognized_processor())
    factor(matrix);
  else
    factor_by_blocks(matrix);
  solve_factored(matrix.view().data(), right.size(), right.data());
  return right;
}

}  // namespace bisector::detail
