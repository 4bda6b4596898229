// Symmetric positive definite systems, by LAPACK's Cholesky factorisation.
#pragma once

#include <vector>

#include "bisector/matrix.h"

namespace bisector::linalg {

/// Solves matrix x = right. `matrix` is N x N and symmetric; it is consumed, so that the factor
/// needs no second N x N. Throws InvalidInput where it is not positive definite in double
/// precision. BLAS chooses its own number of threads.
std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right);

}  // namespace bisector::linalg
