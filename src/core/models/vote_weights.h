// What a neighbor's vote counts by its distance.
#pragma once

#include <cmath>

#include "bisector/neighbor_model.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

/// offset + d^power, of which weights with a decay are functions.
inline double decay_base(const NeighborVote& vote, double sum) {
  const double length = vote.distance.length(sum), power = vote.decay.power;
  return vote.decay.offset + (power == 1.0   ? length
                              : power == 2.0 ? length * length
                                             : std::pow(length, power));
}

/// True for a point whose weight is infinite: it stands at the row, and votes before all others.
inline bool has_infinite_vote(const NeighborVote& vote, double sum) {
  if (vote.weights == NeighborVote::Weights::distance) return sum == 0.0;
  return vote.weights == NeighborVote::Weights::inverse && decay_base(vote, sum) == 0.0;
}

/// `nearest` is the sum of the nearest that votes, `has_exact` whether its weight is infinite: then
/// all that are compared count the same.
inline double vote_of(const NeighborVote& vote, const linalg::Neighbor& neighbor, double nearest,
                      bool has_exact) {
  const double own = vote.point_weights.empty() ? 1.0 : vote.point_weights[neighbor.index];
  if (vote.weights == NeighborVote::Weights::uniform || has_exact) return own;
  if (vote.weights == NeighborVote::Weights::distance)
    return own / vote.distance.length(neighbor.squared_distance);
  const double one = decay_base(vote, nearest), base = decay_base(vote, neighbor.squared_distance);
  if (base == one) return own;  // both may be infinite
  return own * (vote.weights == NeighborVote::Weights::inverse
                    ? std::pow(one / base, vote.decay.rate)
                    : std::exp(vote.decay.rate * (one - base)));
}

}  // namespace bisector::detail
