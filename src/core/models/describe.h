// Parts of models in words, and the sizes of the pools of kernel machines.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "bisector/kernel.h"
#include "bisector/model_fields.h"
#include "bisector/neighbor_model.h"

namespace bisector::detail {

/// "Gaussian", "Matérn 3/2 + Gaussian", "Laplacian (Manhattan)".
std::string describe(const Kernel& kernel);
/// "Manhattan", "Gower (2 categories)"; empty for Euclidean distances.
std::string describe(const Distance& distance);
/// "5 nearest neighbors, weighted by 1 / distance, Manhattan distance".
std::string describe(std::size_t k, const NeighborVote& vote);

/// The pools of f = sum of coefficients times kernels + intercept, times `sign`.
PoolSizes pool_sizes_by_sign(std::span<const double> coefficients, double intercept, double sign);

}  // namespace bisector::detail
