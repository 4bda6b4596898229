// Kernel ridge regression with a Gram matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

struct RidgeFit {
  std::vector<double> coefficients;  // one per training row
  double mean = 0.0;                 // mean of the target, which is the intercept
};

/// (K + lambda I) a = y - mean(y) for all rows; the system is solved in the memory of `gram`.
/// Throws InvalidInput if it is not positive definite in double precision.
RidgeFit fit_ridge(Matrix gram, std::span<const double> target, double lambda);
/// The same for the `training` rows of `gram` (N x N) and `target` (N), which are copied.
RidgeFit fit_ridge(const Matrix& gram, std::span<const double> target,
                   std::span<const std::size_t> training, double lambda);

/// The prediction for one row of `gram`.
double predict_ridge(const RidgeFit& fit, std::span<const double> kernel,
                     std::span<const std::size_t> training);

}  // namespace bisector::detail
