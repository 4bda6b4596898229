#include "train/ridge.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "train/cholesky.h"

namespace bisector::detail {

namespace {

std::vector<double> solve_ridge(Matrix equations, std::vector<double> right, double lambda) {
  for (std::size_t i = 0; i < right.size(); ++i) equations(i, i) += lambda;
  try {
    return solve_positive_definite(std::move(equations), std::move(right));
  } catch (const InvalidInput& error) {
    throw InvalidInput(
        fmt::format("kernel ridge with lambda {}: {}; use a larger lambda", lambda, error.what()));
  }
}

}  // namespace

RidgeFit fit_ridge(Matrix gram, std::span<const double> target, double lambda) {
  RidgeFit fit;
  for (const double value : target) fit.mean += value / static_cast<double>(target.size());
  std::vector<double> right;
  for (const double value : target) right.push_back(value - fit.mean);
  fit.coefficients = solve_ridge(std::move(gram), std::move(right), lambda);
  return fit;
}

RidgeFit fit_ridge(const Matrix& gram, std::span<const double> target,
                   std::span<const std::size_t> training, double lambda) {
  const std::size_t rows = training.size();
  Matrix equations(rows, rows);
  std::vector<double> some;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto kernel = gram.row(training[i]);
    for (std::size_t j = 0; j < rows; ++j) equations(i, j) = kernel[training[j]];
    some.push_back(target[training[i]]);
  }
  return fit_ridge(std::move(equations), some, lambda);
}

double predict_ridge(const RidgeFit& fit, std::span<const double> kernel,
                     std::span<const std::size_t> training) {
  double sum = fit.mean;
  for (std::size_t n = 0; n < training.size(); ++n)
    sum += fit.coefficients[n] * kernel[training[n]];
  return sum;
}

}  // namespace bisector::detail
