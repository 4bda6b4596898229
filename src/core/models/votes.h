// The votes of one-vs-one machines, and the class that wins.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "bisector/kernel_machine.h"
#include "bisector/matrix.h"
#include "bisector/neighbor_model.h"
#include "core/linalg/neighbor.h"

namespace bisector::detail {

/// One vote per pair of classes: for the first where its decision value is above zero, else for the
/// second, as LIBSVM counts. `decisions` are in the order (0,1), (0,2), ..., (1,2), ...
std::vector<double> one_vs_one_votes(std::span<const double> decisions, std::size_t classes);

/// What the classes of a classifier have, the largest of which wins: votes, or the values of the
/// machines. Where ties are broken, a share of a vote represents the sum of a class's decision
/// values c: c / (3 (|c| + 1)), as scikit-learn has it.
std::vector<double> class_scores(KernelClassifier::Arrangement arrangement, std::size_t classes,
                                 std::span<const double> decisions);

/// The first of the largest.
std::size_t winner(std::span<const double> votes);

// The weight of a neighbor's vote as a function of its distance.

/// offset + d^power, the argument of decaying weights.
inline double decay_base(const NeighborVote& vote, double sum) {
  const double length = vote.distance.length(sum), power = vote.decay.power;
  return vote.decay.offset + (power == 1.0   ? length
                              : power == 2.0 ? length * length
                                             : std::pow(length, power));
}

/// Points whose sums of the distance from a row are at most this are at the row's place: a scaler
/// in front of a model moves a training row by its rounding errors. The length is 1e-9 of the
/// median distance of some pairs of points, and so the same wherever the model is used.
double sum_of_one_place(const SharedMatrix& points, const Distance& distance);

/// True if the weight of a point is infinite: it is at the row's place, and only such points vote.
inline bool has_infinite_vote(const NeighborVote& vote, double sum, double sum_of_one_place) {
  if (vote.weights == NeighborVote::Weights::distance) return sum <= sum_of_one_place;
  return vote.weights == NeighborVote::Weights::inverse &&
         ((vote.decay.offset == 0.0 && sum <= sum_of_one_place) || decay_base(vote, sum) == 0.0);
}

/// `nearest` is the distance sum of the nearest neighbor, `has_exact` is true if its weight is
/// infinite: then all points that vote have the same weight.
inline double vote_weight(const NeighborVote& vote, const linalg::Neighbor& neighbor,
                          double nearest, bool has_exact) {
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
