#include "train/cholesky.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "bisector/error.h"
#include "core/linalg/packed_matrix.h"
#include "core/util/parallel.h"

namespace bisector::detail {

namespace {

constexpr std::size_t kBlock = 192, kRows = 128;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;

Eigen::Index index(std::size_t value) { return static_cast<Eigen::Index>(value); }

Eigen::Map<const Rows, 0, Stride> view(const double* data, std::size_t rows, std::size_t columns,
                                       std::size_t stride) {
  return {data, index(rows), index(columns), Stride(index(stride))};
}

bool is_positive_definite(const Rows& matrix, Eigen::Index rows) {
  return matrix.topLeftCorner(rows, rows).llt().info() == Eigen::Success;
}

/// The smallest number of leading rows that are not positive definite; Eigen does not say.
std::size_t rows_at_fault(const Rows& matrix) {
  Eigen::Index sound = 0, faulty = matrix.rows();
  while (faulty - sound > 1) {
    const Eigen::Index middle = (sound + faulty) / 2;
    (is_positive_definite(matrix, middle) ? sound : faulty) = middle;
  }
  return static_cast<std::size_t>(faulty);
}

/// The lower triangle of `block`, `size` rows at a distance of `stride`, becomes its Cholesky
/// factor. Returns 0, or the smallest number of leading rows that are not positive definite.
std::size_t factor_lower(double* block, std::size_t size, std::size_t stride) {
  Eigen::Map<Rows, 0, Stride> matrix(block, index(size), index(size), Stride(index(stride)));
  const Rows before = matrix.triangularView<Eigen::Lower>();
  Eigen::Ref<Rows, 0, Stride> in_place(matrix);
  const Eigen::LLT<Eigen::Ref<Rows, 0, Stride>, Eigen::Lower> factorization(in_place);
  return factorization.info() == Eigen::Success ? 0 : rows_at_fault(before);
}

/// panel := panel L⁻ᵀ: `rows` rows with the columns and the stride of the factor L.
void solve_panel(const double* factor, std::size_t size, std::size_t stride, double* panel,
                 std::size_t rows) {
  Eigen::Map<Rows, 0, Stride> right(panel, index(rows), index(size), Stride(index(stride)));
  const auto lower = view(factor, size, size, stride);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(right);
}

/// right := (L Lᵀ)⁻¹ right.
void solve_factored(const double* factor, std::size_t size, double* right) {
  const auto lower = view(factor, size, size, size);
  Eigen::Map<Eigen::VectorXd> vector(right, index(size));
  lower.triangularView<Eigen::Lower>().solveInPlace(vector);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace(vector);
}

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
  if (matrix.rows() != matrix.cols() || matrix.rows() != right.size() || right.empty())
    throw InvalidInput(
        fmt::format("a system of {} x {} with {} on its right, expected n x n with n",
                    matrix.rows(), matrix.cols(), right.size()));
  factor(matrix);
  solve_factored(matrix.view().data(), right.size(), right.data());
  return right;
}

}  // namespace bisector::detail
