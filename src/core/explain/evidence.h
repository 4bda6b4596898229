// The most influential points of a row, and their pairs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/contrast/pools_at_row.h"
#include "core/methods/rules.h"

namespace bisector::detail {

/// The `count` pairs with the largest p_i p_j, largest first, without pairs of weight 0. Time and
/// memory are linear in the points. `points` are the model's, `row` is x in their space and
/// `input_row` is x before the preprocessing.
std::vector<Evidence> strongest_pairs(const PoolsAtRow& pools, const RelevanceRule& rule,
                                      const SharedMatrix& points, std::span<const double> input_row,
                                      std::span<const double> row, std::size_t count);

/// The `count` members of each pool with the largest weights, largest first, without weights of 0.
DecidingPoints heaviest_points(const PoolsAtRow& pools, std::size_t count);

}  // namespace bisector::detail
