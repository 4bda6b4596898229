// One pool of a soft contrast at one row, point by point.
#pragma once

#include <span>

#include "core/contrast/soft_pools.h"
#include "core/explain/pools_at_row.h"

namespace bisector::detail {

/// The members of a pool, the virtual point last, with their scores and responsibilities. Distances
/// of the Gaussian kernel are taken from `center`: x itself, or for a far-away x, whose square
/// would swallow all else, a place near the points.
PoolAtRow soft_pool_at(const SoftPools& pools, const SoftPool& pool, const PoolMoments& moments,
                       std::span<const double> row, std::span<const double> center);

/// Minus the pool's effective distance (times gamma of the Gaussian), but for what the exponents
/// leave out.
double pooled_exponent(const SoftContrast& contrast, const PoolAtRow& pool);

}  // namespace bisector::detail
