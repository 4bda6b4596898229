// The implementations of Contrast, for the factory in contrasts.cpp.
#pragma once

#include <memory>

#include "core/contrast/contrast.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/level_pools.h"
#include "core/contrast/pool_moments.h"
#include "core/contrast/ranked_pools.h"

namespace bisector::detail {

/// Kernels of a distance. `level`: of regressors. Throws InvalidModel if a pool has nothing, unless
/// there are no values to average, or if the intercept is to be ignored and a pool holds nothing
/// else.
std::unique_ptr<const Contrast> make_soft_contrast(const Model& model, Model::ClassPair pair,
                                                   double level, const PoolOptions& options,
                                                   unsigned threads);
/// Kernels of the dot product.
std::unique_ptr<const Contrast> make_linear_contrast(const Model& model, Model::ClassPair pair,
                                                     double level, unsigned threads);
/// Models that decide by the nearest points. An open choice takes each row's own pair of classes.
template <class Pools>
std::unique_ptr<const Contrast> make_neighbor_contrast(const Model& model,
                                                       std::shared_ptr<const Pools> pools,
                                                       const ClassChoice& choice,
                                                       const ContrastOptions& options);

}  // namespace bisector::detail
