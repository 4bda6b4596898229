#include "train/ridge.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "train/cholesky.h"

namespace bisector::detail {

RidgeFit fit_ridge(const Matrix& gram, std::span<const double> target,
                   std::span<const std::size_t> training, double lambda) {
  const std::size_t rows = training.size();
  RidgeFit fit;
  for (const std::size_t row : training) fit.mean += target[row] / static_cast<double>(rows);
  Matrix equations(rows, rows);
  std::vector<double> right(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto kernel = gram.row(training[i]);
    for (std::size_t j = 0; j < rows; ++j) equations(i, j) = kernel[training[j]];
    equations(i, i) += lambda;
    right[i] = target[training[i]] - fit.mean;
  }
  try {
    fit.coefficients = solve_positive_definite(std::move(equations), std::move(right));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("kernel ridge with lambda {}: {}; a larger lambda helps", lambda,
                                   error.what()));
  }
  return fit;
}

double predict_ridge(const RidgeFit& fit, std::span<const double> kernel,
                     std::span<const std::size_t> training) {
  double sum = fit.mean;
  for (std::size_t n = 0; n < training.size(); ++n)
    sum += fit.coefficients[n] * kernel[training[n]];
  return sum;
}

}  // namespace bisector::detail
