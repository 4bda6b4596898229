#include "core/contrast/ranked_pools.h"

#include <numeric>
#include <utility>

#include "core/models/rank_band.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

std::size_t group_of(const RankedPools::Decision& decision, Side side) {
  return side == Side::positive ? decision.comparison.positive : decision.comparison.negative;
}

std::size_t rank_of(const RankedPools::Decision& decision, Side side) {
  return side == Side::positive ? decision.comparison.positive_rank
                                : decision.comparison.negative_rank;
}

}  // namespace

RankedPools::RankedPools(const Model& model, NeighborOutput output, double level)
    : votes_(model, level),
      output_(output),
      level_(level),
      is_regressor_(model.is_regressor()),
      is_euclidean_(model.distance().is_euclidean()) {}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest(MatrixView<const double> rows,
                                                           std::size_t kappa, unsigned threads,
                                                           std::vector<VoteCounts>& votes) const {
  auto found = votes_.nearest(rows, kappa, threads, &votes);
  if (votes.empty()) {
    votes.reserve(found.size());
    for (const auto& of_row : found) votes.push_back(votes_.count(of_row));
  }
  return found;
}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest_on_lines(
    MatrixView<const double> rows, const linalg::Lines<double>& lines, std::size_t kappa,
    unsigned threads) const {
  return votes_.nearest_on_lines(rows, lines, kappa, threads);
}

RankedPools::Decision RankedPools::decide(const linalg::GroupedNeighbors& nearest,
                                          const ClassChoice& choice, VoteCounts votes) const {
  Decision decision;
  const std::size_t prediction = winner(votes.weights());
  const std::size_t positive =
      is_regressor_ ? std::size_t{WeightedVotes::above} : choice.positive.value_or(prediction);
  const std::size_t negative = is_regressor_ ? std::size_t{WeightedVotes::below}
                               : choice.negative
                                   ? *choice.negative
                                   : strongest_rival(votes_, nearest, votes, positive);
  decision.comparison = compare_groups(votes_, nearest, votes, positive, negative);
  decision.g = ranked_output(nearest, decision.comparison);
  // Another order of equal distances could elect another class, one of the pair or not.
  decision.tie = decision.comparison.tie || decision.g == 0.0 ||
                 (!is_regressor_ && votes_.is_winner_by_order(nearest, votes, prediction));
  decision.prediction = prediction;
  decision.positive = positive;
  decision.negative = negative;
  decision.has_output = votes.neighbors() > 0;
  if (decision.has_output) decision.f = output(decision, votes);
  decision.value = level_ + decision.f;
  decision.counts = std::move(votes);
  return decision;
}

/// As predict computes it, to the last digit.
double RankedPools::output(const RowDecision& decision, const VoteCounts& votes) const {
  const double positive = votes.weights()[decision.positive];
  const double negative = votes.weights()[decision.negative];
  switch (output_) {
    case NeighborOutput::distances:
      return decision.g;
    case NeighborOutput::mean:
      return (positive - negative) / votes.total;
    case NeighborOutput::shares:
      return positive / votes.total - negative / votes.total;
    case NeighborOutput::votes:
      break;
  }
  return positive - negative;
}

std::span<const linalg::Neighbor> RankedPools::pool(const linalg::GroupedNeighbors& nearest,
                                                    const Decision& decision, Side side) const {
  return nearest[group_of(decision, side)];
}

double RankedPools::score(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side) const {
  return pooled_score(pool(nearest, decision, side), rank_of(decision, side));
}

Responsible RankedPools::responsible(const linalg::GroupedNeighbors& nearest,
                                     const Decision& decision, Side side, std::size_t kappa) const {
  const auto points = pool(nearest, decision, side);
  if (points.empty()) return {0, {}, 0};  // a regressor without a target on this side
  const Band band = rank_band(rank_of(decision, side), kappa, points.size());
  Responsible result{band.first - 1, {}, band.last - band.first + 1};
  if (votes_.are_uniform()) return result;
  const auto own = decision.counts.of_points(nearest, group_of(decision, side))
                       .subspan(result.first, result.count);
  const double sum = std::accumulate(own.begin(), own.end(), 0.0);
  result.weights.assign(own.begin(), own.end());
  for (double& weight : result.weights) weight /= sum;
  return result;
}

}  // namespace bisector::detail
