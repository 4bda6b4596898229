// The dense steps of a Cholesky factorization: by LAPACK, or by Eigen in a build without one
// (BISECTOR_LAPACK=OFF), whose library has to run where there is none.
#pragma once

#include <cstddef>

namespace bisector::detail {

/// True where a BLAS of the system does the work, false where Eigen does.
bool has_lapack();

/// The lower triangle of `block`, `size` rows that are `stride` apart, becomes its Cholesky factor.
/// Returns 0, or the smallest number of leading rows that are not positive definite.
std::size_t factor_lower(double* block, std::size_t size, std::size_t stride);

/// panel := panel L⁻ᵀ: `rows` rows with the columns of the factor L, as far apart as its own.
void solve_panel(const double* factor, std::size_t size, std::size_t stride, double* panel,
                 std::size_t rows);

/// right := (L Lᵀ)⁻¹ right.
void solve_factored(const double* factor, std::size_t size, double* right);

}  // namespace bisector::detail
