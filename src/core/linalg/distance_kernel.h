// Vector code for distances that are sums over features, except Euclidean and cosine distances.
#pragma once

#include <cstddef>

#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::linalg {

/// has_kernel: true if there is vector code for the sums of a distance. has_exact_kernel: true if
/// its sums have the bits of RowDistance::sum.
bool has_kernel(const Distance& distance);
bool has_exact_kernel(const Distance& distance);

/// sums(r, n) = s between row r and point n, `stride` apart, for points packed as simd/kernels.h
/// says; `columns` is a multiple of the panel width.
void kernel_sums(const Distance& distance, MatrixView<const double> rows, const double* panels,
                 std::size_t panel_stride, std::size_t columns, double* sums, std::size_t stride);

}  // namespace bisector::linalg
