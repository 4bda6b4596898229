#include "train/cholesky.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bisector/error.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/parallel.h"
#include "train/blas.h"

// The Fortran names: every system's LAPACK and BLAS have them, with or without C headers. The last
// arguments are the lengths of the texts, which Fortran passes unseen.
extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* transposed, const char* diagonal,
            const int* m, const int* n, const double* alpha, const double* a, const int* lda,
            double* b, const int* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
}

namespace bisector::detail {

namespace {

constexpr std::size_t kBlock = 192, kRows = 128;

/// Row-major and column-major are the same for a symmetric matrix: our lower triangle is LAPACK's
/// "upper". `first` is where the block of `size` rows stands in a matrix of `stride` rows.
void factor_diagonal(double* block, std::size_t size, std::size_t stride, std::size_t first) {
  const int n = static_cast<int>(size), lda = static_cast<int>(stride);
  int info = 0;
  dpotrf_("U", &n, block, &lda, &info, 1);
  if (info > 0)
    throw InvalidInput(
        fmt::format("the matrix of {} rows is not positive definite in double precision (row {})",
                    stride, first + static_cast<std::size_t>(info)));
}

/// Rows `below` and further, less the products of their columns `first` ... `below`, up to the
/// diagonal.
void subtract_products(Matrix& matrix, std::size_t first, std::size_t below) {
  const std::size_t size = matrix.rows(), left = size - below, depth = below - first;
  const MatrixView<const double> panel(matrix.row(below).data() + first, left, depth, size);
  const auto packed = linalg::PackedMatrix<double>::of_transposed(panel);
  linalg::parallel_for((left + kRows - 1) / kRows, 0, [&] {
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
    const int block = static_cast<int>(below - first), lda = static_cast<int>(size);
    const int rows_below = static_cast<int>(size - below);
    const double one = 1.0;
    dtrsm_("L", "U", "T", "N", &block, &rows_below, &one, diagonal, &lda,
           matrix.row(below).data() + first, &lda, 1, 1, 1, 1);
    subtract_products(matrix, first, below);
  }
}

std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right) {
  if (matrix.rows() != matrix.cols() || matrix.rows() != right.size() || right.empty() ||
      right.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InvalidInput(
        fmt::format("a system of {} x {} with {} on its right, expected n x n with n",
                    matrix.rows(), matrix.cols(), right.size()));
  if (blas_recognized_processor())
    factor(matrix);
  else
    factor_by_blocks(matrix);
  const int size = static_cast<int>(right.size()), one = 1;
  int info = 0;
  dpotrs_("U", &size, &one, matrix.view().data(), &size, right.data(), &size, &info, 1);
  return right;
}

}  // namespace bisector::detail
