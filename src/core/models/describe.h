// Parts of models in words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "bisector/kernel.h"
#include "bisector/model.h"
#include "bisector/model_fields.h"
#include "bisector/neighbor_model.h"

namespace bisector::detail {

/// "Gaussian", "Matérn 3/2 + Gaussian", "Laplacian (Manhattan)".
std::string describe(const Kernel& kernel);
/// "Manhattan", "Gower (2 categories)"; empty for Euclidean distances.
std::string describe(const Distance& distance);
/// "5 nearest neighbors, weighted by 1 / distance, Manhattan distance".
std::string describe(std::size_t k, const NeighborVote& vote);

// Kernel densities among one-class machines.

/// A sum of equal kernels is a density estimate, whatever trained it.
inline bool is_density(const OneClassMachine& own) {
  const auto& weights = own.machine.coefficients();
  return weights.size() > 1 &&
         std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end();
}

inline bool is_density(const Model& model) {
  const auto* own = std::get_if<OneClassMachine>(&model.predictor());
  return own != nullptr && is_density(*own);
}

}  // namespace bisector::detail
