#include "linalg/vectors.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "simd/kernels.h"

namespace bisector::linalg {

void squared_distances(std::span<const double> x, const Matrix& points,
                       std::span<const std::size_t> indices, std::span<double> distances) {
  constexpr std::size_t kTogether = 4;
  std::size_t n = 0;
  for (; n + kTogether <= indices.size(); n += kTogether) {
    std::array<const double*, kTogether> point;
    std::array<double, kTogether> sum{};
    for (std::size_t i = 0; i < kTogether; ++i) point[i] = points.row(indices[n + i]).data();
    for (std::size_t d = 0; d < x.size(); ++d) {
      for (std::size_t i = 0; i < kTogether; ++i)
        sum[i] += (x[d] - point[i][d]) * (x[d] - point[i][d]);
    }
    std::ranges::copy(sum, distances.begin() + static_cast<std::ptrdiff_t>(n));
  }
  for (; n < indices.size(); ++n) distances[n] = squared_distance(x, points.row(indices[n]));
}

void add_moments(std::span<const double> point, std::span<const double> center,
                 std::span<double> first, std::span<double> second) {
  if (!second.empty())
    return simd::kernels<double>().add_moments(point.data(), center.data(), point.size(),
                                               first.data(), second.data());
  for (std::size_t d = 0; d < point.size(); ++d) first[d] += point[d] - center[d];
}

double largest_norm(MatrixView<const double> rows) {
  double largest = 0.0;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    largest = std::max(largest, squared_norm(rows.row(r)));
  return std::sqrt(largest);
}

std::vector<double> row_mean(MatrixView<const double> rows) {
  std::vector<double> mean(rows.cols(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) mean[d] += rows(r, d);
  }
  for (double& value : mean) value /= static_cast<double>(std::max<std::size_t>(rows.rows(), 1));
  return mean;
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
