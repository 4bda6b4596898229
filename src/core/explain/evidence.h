// The points that decided a row, and their pairs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/explain/pools_at_row.h"
#include "core/rules/relevance_rule.h"

namespace bisector::detail {

/// The `count` pairs with the largest p_i p_j, largest first; pairs of no weight are left out.
/// Takes time and memory for the points of the pools, not for their pairs. `points` are the
/// model's, `row` is x in their space and `input_row` before the preprocessing.
std::vector<Evidence> strongest_pairs(const PoolsAtRow& pools, const RelevanceRule& rule,
                                      const Matrix& points, std::span<const double> input_row,
                                      std::span<const double> row, std::size_t count);

/// The `count` heaviest members of either pool, heaviest first; those of no weight are left out.
DecidingPoints heaviest_points(const PoolsAtRow& pools, std::size_t count);

}  // namespace bisector::detail
