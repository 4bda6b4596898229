// One pool of a soft contrast at one row, point by point.
#pragma once

#include <span>

#include "core/contrast/pool_moments.h"
#include "core/contrast/pools_at_row.h"

namespace bisector::detail {

/// The members of a pool, the virtual point last, with their scores and responsibilities. Distances
/// of the Gaussian kernel are relative to `center`: x itself or, for a far-away x, whose square
/// would exceed all differences, a place near the points. `ratio` is that of beta to gamma.
PoolAtRow soft_pool_at(const KernelPools& pools, const SoftPool& pool, const PoolMoments& moments,
                       double ratio, std::span<const double> row, std::span<const double> center);

/// Minus the pool's effective distance (times gamma for the Gaussian), without the summand that the
/// exponents omit.
double pooled_exponent(const KernelPools& pools, const PoolAtRow& pool);

}  // namespace bisector::detail
