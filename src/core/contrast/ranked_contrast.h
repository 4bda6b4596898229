// A neighbor model as a contrast of two ranked pools: at one row, two groups of points and the
// ranks at which they are compared. With W the weight of both among those that vote, a pool's score
// is the squared distance at which its own weight reaches W / 2, beyond the neighborhood where it
// must: so g, the score of N less that of P, has the sign of the vote. Where every vote counts one,
// that is half of the votes, rounded up, in both.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/linalg/neighbor_search.h"
#include "core/models/rank_band.h"
#include "core/models/voters.h"

namespace bisector::detail {

struct RankedContrast {
  std::size_t positive, negative;            // the groups of P and N
  std::size_t positive_rank, negative_rank;  // counted from one
  bool tie;  // equal votes, or equal distances where it matters: the sign of g is then no promise
};

/// The squared distance of a pool's q-th nearest point; infinite where the pool is smaller.
double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank);

/// g for the two groups, from their nearest points.
double ranked_output(const linalg::GroupedNeighbors& nearest, const RankedContrast& contrast);

/// Groups a and b compared at this row. A pool that never reaches W / 2 has the rank after its
/// last.
RankedContrast contrast_groups(const Voters& voters, const linalg::GroupedNeighbors& nearest,
                               const Ballot& ballot, std::size_t positive, std::size_t negative);

/// The rival of `positive`: the other group with the most weight; of equals the one with the
/// smallest g, then the first.
std::size_t strongest_rival(const Voters& voters, const linalg::GroupedNeighbors& nearest,
                            const Ballot& ballot, std::size_t positive);

}  // namespace bisector::detail
