#include "linalg/vectors.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/random.h"

namespace bisector::linalg {
namespace {

constexpr std::size_t kMedianRows = 2000;

std::vector<std::size_t> sampled_rows(std::size_t rows) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (rows > kMedianRows) {
    Random(0).shuffle(std::span(order));
    order.resize(kMedianRows);
  }
  return order;
}

}  // namespace

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

double median_distance(MatrixView<const double> rows) {
  if (rows.rows() < 2) return 0.0;
  const std::vector<std::size_t> sample = sampled_rows(rows.rows());
  std::vector<double> distances;
  distances.reserve(sample.size() * (sample.size() - 1) / 2);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      distances.push_back(std::sqrt(squared_distance(rows.row(sample[i]), rows.row(sample[j]))));
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (distances.size() % 2 == 1) return *middle;
  return (*std::max_element(distances.begin(), middle) + *middle) / 2.0;
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
