// Symmetric positive definite systems, by LAPACK's Cholesky factorization, or by blocks with our
// own products where BLAS did not recognize the processor or the build has none (dense.h).
#pragma once

#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Solves matrix x = right. `matrix` is N x N and symmetric; it is consumed, so that the factor
/// needs no second N x N. Throws InvalidInput where it is not positive definite in double
/// precision. BLAS chooses its own number of threads.
std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right);

/// The lower triangle of `matrix` becomes its Cholesky factor; the part above the diagonal is left
/// undefined. Throws InvalidInput where the matrix is not positive definite. The first by LAPACK,
/// the second by blocks: LAPACK factors a block of the diagonal, and the products behind it, nearly
/// all of the work, are ours.
void factor(Matrix& matrix);
void factor_by_blocks(Matrix& matrix);

}  // namespace bisector::detail
