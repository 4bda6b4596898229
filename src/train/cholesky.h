// Symmetric positive definite systems: by LAPACK's Cholesky factorization, or by blocks with our
// own products if BLAS did not recognize the processor or the build has no LAPACK (dense.h).
#pragma once

#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Solves matrix x = right. `matrix` is N x N and symmetric; the factor takes its memory. Throws
/// InvalidInput if it is not positive definite in double precision. BLAS chooses its own number of
/// threads.
std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right);

/// The lower triangle of `matrix` becomes its Cholesky factor; the part above the diagonal is
/// undefined. Throws InvalidInput if the matrix is not positive definite. factor() uses LAPACK.
/// factor_by_blocks() uses LAPACK for the diagonal blocks and our own products for the rest, which
/// is nearly all of the work.
void factor(Matrix& matrix);
void factor_by_blocks(Matrix& matrix);

}  // namespace bisector::detail
