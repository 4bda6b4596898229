// The neuralized model at one row: the paper's three layers with their responsibilities, and the
// most influential pairs of points.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bisector/matrix.h"

namespace bisector {

/// A member of a pool: a point of the model (its row in Model::points()), or empty for the virtual
/// point at x that represents the intercept, and for the level of a detector.
using PoolMember = std::optional<std::size_t>;

/// Detection units z_ij, their pooling h_j and g, and the responsibilities. The pools of neighbor
/// models have the nearest points only, nearest first; the ranks depend on no others.
struct Network {
  std::vector<PoolMember> positive, negative;  // members i and j
  Matrix detection;                            // |P| x |N|: z_ij
  std::vector<double> hidden;                  // |N|: h_j
  double g = 0.0;
  std::vector<double> positive_weights, negative_weights;  // p_i, p_j; each sums to 1
};

/// One pair of points and its part in the explanation of a row.
struct Evidence {
  PoolMember positive, negative;
  double weight = 0.0;            // p_i p_j
  double activation = 0.0;        // z_ij
  std::vector<double> relevance;  // its part of every feature's relevance
};

/// A member of a pool and its responsibility.
struct WeightedMember {
  PoolMember member;
  double weight = 0.0;  // p_k, which sum to 1 in a pool; of neighbors, the share of the vote
};

/// The most influential points of a row: those of each pool with the largest weights, largest
/// first.
struct DecidingPoints {
  std::vector<WeightedMember> positive, negative;
};

}  // namespace bisector
