// The ranks at which two groups of neighbors are compared at one row. W is the weight of both
// groups among the neighbors that vote. A pool's score is the squared distance at which its
// cumulative weight reaches W / 2; points beyond the neighborhood are counted if needed. So g, the
// score of N minus that of P, has the sign of the vote. If every vote counts 1, both ranks are half
// of the votes, rounded up.
#pragma once

#include <cstddef>
#include <span>

#include "core/linalg/neighbor.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {

struct RankComparison {
  std::size_t positive, negative;            // the groups of P and N
  std::size_t positive_rank, negative_rank;  // counted from one
};

/// The squared distance of a pool's q-th nearest point; infinite if the pool is smaller.
double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank);

/// g for the two groups, from their nearest points.
double ranked_output(const linalg::GroupedNeighbors& nearest, const RankComparison& contrast);

/// Compares two groups at this row. A pool that never reaches W / 2 gets the rank after its last.
RankComparison compare_groups(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                              const VoteCounts& counts, std::size_t positive, std::size_t negative);

/// The rival of `positive`: the other group with the largest weight; among equals the one with the
/// smallest g, then the first.
std::size_t strongest_rival(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                            const VoteCounts& counts, std::size_t positive);

}  // namespace bisector::detail
