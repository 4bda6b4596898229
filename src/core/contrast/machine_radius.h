// A radius within which a kernel machine keeps its sign.
#pragma once

#include <span>

#include "bisector/kernel_machine.h"

namespace bisector::detail {

/// No change of `row` that is shorter (Euclidean) changes the sign of f. 0: no radius is known.
///
/// Linear kernels: |f| / |gradient of f|. Gaussian kernels, with d the distance to point l and h
/// the largest norm of the kernel's Hessian at distances from d - r to d + r:
///
///     |f(x + delta) - f(x)| <= |gradient of f| r + r^2 / 2 sum_l |c_l| h_l(r)   for |delta| <= r
///
/// The radius is the largest r for which the right side is below |f|, found by bisection.
double machine_radius(const KernelMachine& machine, std::span<const double> row);

}  // namespace bisector::detail
