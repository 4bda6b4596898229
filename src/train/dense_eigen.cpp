#include <Eigen/Dense>

#include "train/dense.h"

namespace bisector::detail {
namespace {

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

}  // namespace

bool has_lapack() { return false; }

std::size_t factor_lower(double* block, std::size_t size, std::size_t stride) {
  Eigen::Map<Rows, 0, Stride> matrix(block, index(size), index(size), Stride(index(stride)));
  const Rows before = matrix.triangularView<Eigen::Lower>();
  Eigen::Ref<Rows, 0, Stride> in_place(matrix);
  const Eigen::LLT<Eigen::Ref<Rows, 0, Stride>, Eigen::Lower> factorization(in_place);
  return factorization.info() == Eigen::Success ? 0 : rows_at_fault(before);
}

void solve_panel(const double* factor, std::size_t size, std::size_t stride, double* panel,
                 std::size_t rows) {
  Eigen::Map<Rows, 0, Stride> right(panel, index(rows), index(size), Stride(index(stride)));
  const auto lower = view(factor, size, size, stride);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(right);
}

void solve_factored(const double* factor, std::size_t size, double* right) {
  const auto lower = view(factor, size, size, size);
  Eigen::Map<Eigen::VectorXd> vector(right, index(size));
  lower.triangularView<Eigen::Lower>().solveInPlace(vector);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace(vector);
}

}  // namespace bisector::detail
