// Symmetric positive definite systems by Cholesky's factorization.
#pragma once

#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Solves matrix x = right. `matrix` is N x N and symmetric; the factor takes its memory. Throws
/// InvalidInput if it is not positive definite in double precision. Uses all threads.
std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right);

/// The lower triangle of `matrix` becomes its Cholesky factor; the part above the diagonal is
/// undefined. Throws InvalidInput if the matrix is not positive definite. Eigen factors the
/// diagonal blocks; our own products do the rest, which is nearly all of the work.
void factor(Matrix& matrix);

}  // namespace bisector::detail
