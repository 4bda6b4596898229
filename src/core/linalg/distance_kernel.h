// The vector code of distances that are sums over features, but for the Euclidean and the cosine.
#pragma once

#include <cstddef>

#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::linalg {

/// True where there is vector code for a distance's sums; and where it has the bits of
/// RowDistance::sum.
bool has_kernel(const Distance& distance);
bool has_exact_kernel(const Distance& distance);

/// sums(r, n) = s between row r and point n, `stride` apart, for points packed as simd/kernels.h
/// says; `columns` is a multiple of the panel width.
void kernel_sums(const Distance& distance, MatrixView<const double> rows, const double* panels,
                 std::size_t panel_stride, std::size_t columns, double* sums, std::size_t stride);

}  // namespace bisector::linalg
