// Kernel matrices of the training rows, for any kernel: the kernel's arguments for all pairs, which
// do not depend on gamma, and its values.
#pragma once

#include <span>

#include "bisector/kernel.h"
#include "bisector/matrix.h"

namespace bisector::detail {

/// The sums of the kernel's distance (squared if Euclidean), or the dot products: N x N.
Matrix kernel_arguments(MatrixView<const double> rows, const Kernel& kernel, unsigned threads);
/// The kernel's values of some arguments; both may be the same memory.
void kernel_values(std::span<const double> arguments, const Kernel& kernel,
                   std::span<double> values);
/// The Gram matrix, in the memory of `arguments`.
Matrix gram_matrix(Matrix arguments, const Kernel& kernel, unsigned threads);

}  // namespace bisector::detail
