// Parts of models in words.
#pragma once

#include <cstddef>
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

}  // namespace bisector::detail
