// The dense steps of a Cholesky factorization: by LAPACK, or by Eigen in a build without LAPACK
// (BISECTOR_LAPACK=OFF).
#pragma once

#include <cstddef>

namespace bisector::detail {

/// True if the BLAS of the system is used, false for Eigen.
bool has_lapack();

/// The lower triangle of `block`, `size` rows at a distance of `stride`, becomes its Cholesky
/// factor. Returns 0, or the smallest number of leading rows that are not positive definite.
std::size_t factor_lower(double* block, std::size_t size, std::size_t stride);

/// panel := panel L⁻ᵀ: `rows` rows with the columns and the stride of the factor L.
void solve_panel(const double* factor, std::size_t size, std::size_t stride, double* panel,
                 std::size_t rows);

/// right := (L Lᵀ)⁻¹ right.
void solve_factored(const double* factor, std::size_t size, double* right);

}  // namespace bisector::detail
