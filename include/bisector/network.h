// The neuralized model at one row, for looking at: the paper's three layers with their
// responsibilities, and the pairs of points that decided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bisector/matrix.h"

namespace bisector {

/// A member of a pool: a point of the model (its row in Model::points()), or nothing for the
/// virtual point at x that carries the intercept.
using PoolMember = std::optional<std::size_t>;

/// Detection units z_ij, their pooling h_j and g, and the responsibilities. For neighbor models
/// the pools hold the nearest points only, nearest first: no other takes part in the ranks.
struct Network {
  std::vector<PoolMember> positive, negative;  // who i and j are
  Matrix detection;                            // |P| x |N|: z_ij
  std::vector<double> hidden;                  // |N|: h_j
  double g = 0.0;
  std::vector<double> positive_weights, negative_weights;  // p_i, p_j; each sums to one
};

/// One pair of points and its part in the explanation of a row.
struct Evidence {
  PoolMember positive, negative;
  double weight = 0.0;            // p_i p_j
  double activation = 0.0;        // z_ij
  std::vector<double> relevance;  // its share of every feature's relevance
};

/// A member of a pool and its part in the decision.
struct WeightedMember {
  PoolMember member;
  double weight = 0.0;  // p_k; those of a pool sum to one
};

/// The points that decided a row, one by one: the heaviest of either pool, heaviest first.
struct DecidingPoints {
  std::vector<WeightedMember> positive, negative;
};

}  // namespace bisector
