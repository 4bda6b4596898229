// A neighbour model as a contrast of two ranked pools: at one row, two classes and the rank q at
// which their nearest points are compared.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

struct RankedContrast {
  std::size_t positive, negative;  // the classes of P and N
  std::size_t rank;                // q, counted from one
  bool tie;                        // equal votes, or an open vote: the sign of g is then no promise
};

/// The rank at which classes with these votes are compared: half of the votes, rounded up. Where
/// neither has a vote, their nearest points.
std::size_t contrast_rank(std::size_t positive_votes, std::size_t negative_votes);

/// The squared distance of a pool's q-th nearest point; infinite where the pool is smaller.
double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank);

/// g for the two classes, from their nearest points.
double ranked_output(const linalg::GroupedNeighbors& nearest, const RankedContrast& contrast);

/// Classes a and b compared at this row.
RankedContrast contrast_classes(std::span<const std::size_t> votes, std::size_t positive,
                                std::size_t negative);

/// The rival of `positive`: the other class with the most votes; of equals the one with the
/// smallest g, then the first.
std::size_t strongest_rival(const linalg::GroupedNeighbors& nearest,
                            std::span<const std::size_t> votes, std::size_t positive);

/// The first and last rank that share the responsibility, counted from one: q - kappa ... q + kappa
/// cut to the pool; its farthest point where the pool ends before the band begins.
struct Band {
  std::size_t first, last;
};
Band rank_band(std::size_t rank, std::size_t kappa, std::size_t pool_size);

}  // namespace bisector::detail
