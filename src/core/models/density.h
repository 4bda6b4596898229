// Kernel densities among one-class machines.
#pragma once

#include <algorithm>

#include "bisector/model.h"

namespace bisector::detail {

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
