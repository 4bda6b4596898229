// Kernel matrices of the training rows, for any kernel: what it is a function of for all pairs,
// once for every gamma, and its values.
#pragma once

#include <span>

#include "bisector/kernel.h"
#include "bisector/matrix.h"

namespace bisector::detail {

/// The sums of the kernel's distance (squared where it is Euclidean), or dot products: N x N.
Matrix kernel_arguments(MatrixView<const double> rows, const Kernel& kernel, unsigned threads);
/// Of some of them.
void kernel_values(std::span<const double> arguments, const Kernel& kernel,
                   std::span<double> values);
Matrix gram_matrix(const Matrix& arguments, const Kernel& kernel, unsigned threads);

}  // namespace bisector::detail
