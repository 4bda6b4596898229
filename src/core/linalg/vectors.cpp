#include "core/linalg/vectors.h"

#include <Eigen/Dense>
#include <algorithm>

#include "core/linalg/packed_matrix.h"
#include "core/simd/kernels.h"

namespace bisector::linalg {

void sum_moments(std::span<const double* const> points, std::span<const double> center,
                 std::span<double> first, std::span<double> second) {
  simd::kernels<double>().sum_moments(points.data(), points.size(), center.data(), center.size(),
                                      first.data(), second.data());
}

void sum_weighted_moments(std::span<const double* const> points, std::span<const double> weights,
                          std::span<const double> center, std::span<double> moments) {
  // Whole vectors are written.
  std::vector<double> sums(round_up(moments.size(), simd::kPanelWidth<double>));
  simd::kernels<double>().multiply_moments(
      weights.data(), weights.size(), 1, points.data(), points.size(), center.data(), center.size(),
      moments.size() > center.size(), sums.data(), sums.size(), false);
  std::copy_n(sums.begin(), moments.size(), moments.begin());
}

double largest_norm(MatrixView<const double> rows) {
  double largest = 0.0;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    largest = std::max(largest, squared_norm(rows.row(r)));
  return std::sqrt(largest);
}

namespace {

void add_rows(MatrixView<const double> rows, std::vector<double>& sums) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) sums[d] += rows(r, d);
  }
}

std::vector<double> divided(std::vector<double> sums, std::size_t rows) {
  for (double& value : sums) value /= static_cast<double>(std::max<std::size_t>(rows, 1));
  return sums;
}

}  // namespace

std::vector<double> row_mean(MatrixView<const double> rows) {
  std::vector<double> sums(rows.cols(), 0.0);
  add_rows(rows, sums);
  return divided(std::move(sums), rows.rows());
}

std::vector<double> row_mean(const SharedMatrix& rows) {
  std::vector<double> sums(rows.cols(), 0.0);
  rows.for_each_block([&](std::size_t, MatrixView<const double> block) { add_rows(block, sums); });
  return divided(std::move(sums), rows.rows());
}

Matrix pseudo_inverse(const Matrix& matrix) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto index = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
  const Eigen::Map<const RowMajor> view(matrix.values().data(), index(matrix.rows()),
                                        index(matrix.cols()));
  const RowMajor inverse = view.completeOrthogonalDecomposition().pseudoInverse();
  return Matrix(matrix.cols(), matrix.rows(),
                std::vector<double>(inverse.data(), inverse.data() + inverse.size()));
}

}  // namespace bisector::linalg
