#include "core/contrast/ranked_pools.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

/// Radii are this much smaller, because distances are rounded.
constexpr double kRadiusError = 1e-13, kRadiusSafety = 1.0 - 1e-9;

std::size_t group_of(const RankedPools::Decision& decision, Side side) {
  return side == Side::positive ? decision.comparison.positive : decision.comparison.negative;
}

std::size_t rank_of(const RankedPools::Decision& decision, Side side) {
  return side == Side::positive ? decision.comparison.positive_rank
                                : decision.comparison.negative_rank;
}

bool has_all(std::span<const linalg::GroupedNeighbors> found,
             std::span<const std::vector<std::size_t>> voters) {
  for (std::size_t r = 0; r < voters.size(); ++r) {
    std::vector<std::size_t> indices;
    for (const auto& group : found[r])
      for (const linalg::Neighbor& neighbor : group) indices.push_back(neighbor.index);
    std::ranges::sort(indices);
    for (const std::size_t voter : voters[r])
      if (!std::binary_search(indices.begin(), indices.end(), voter)) return false;
  }
  return true;
}

}  // namespace

RankedPools::RankedPools(const Model& model, NeighborOutput output, double level)
    : votes_(model, level),
      output_(output),
      level_(level),
      is_regressor_(model.is_regressor()),
      is_euclidean_(model.distance().is_euclidean()),
      distance_(model.distance()),
      classes_(model.labels().size()) {
  const auto mean = model.default_level();
  if (!mean || level == *mean) return;
  VotingPoints voting = voting_points(model, *mean);
  std::vector<std::size_t> sides = voting.groups;
  around_mean_.emplace(AroundMean{WeightedVotes(std::move(voting)), *mean, std::move(sides)});
}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest(const RowTile& tile, std::size_t kappa,
                                                           std::vector<VoteCounts>& votes) const {
  auto found = votes_.nearest(tile.rows, kappa, tile.threads, &votes);
  // The voters may be among more points at one distance than the search returned.
  for (std::size_t more = votes_.k(); !has_all(found, tile.voters); more *= 2)
    found = votes_.nearest(tile.rows, kappa + more, tile.threads, &votes);
  if (votes.empty()) {
    votes.reserve(found.size());
    for (const auto& of_row : found) votes.push_back(votes_.count(of_row));
  }
  for (std::size_t r = 0; r < tile.voters.size(); ++r) {
    votes_.put_first(tile.voters[r], found[r]);
    votes[r] = votes_.count(found[r], tile.voters[r]);
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
  decision.has_output = votes.neighbors() > 0;
  decision.is_outside = !decision.has_output;
  decision.tie = decision.g == 0.0 || is_tie(nearest, votes, positive, negative) ||
                 (!is_regressor_ && votes_.is_winner_by_order(nearest, votes, prediction));
  decision.prediction = prediction;
  decision.positive = positive;
  decision.negative = negative;
  decision.f = output(decision, votes);
  decision.value = value(nearest, votes, decision.f);
  if (around_mean_) decision.f = decision.value - level_;
  decision.counts = std::move(votes);
  return decision;
}

/// Votes that are equal up to rounding, or that another order of equal distances would change.
bool RankedPools::is_tie(const linalg::GroupedNeighbors& nearest, const VoteCounts& votes,
                         std::size_t positive, std::size_t negative) const {
  constexpr double kEqual = 1e-9;
  const double first = votes.weights()[positive], second = votes.weights()[negative];
  return votes.neighbors() == 0 || std::abs(first - second) <= kEqual * (first + second) ||
         votes_.is_by_order(nearest, votes, positive, negative);
}

/// Of a regressor. Its digits do not depend on the level at which it is explained.
double RankedPools::value(const linalg::GroupedNeighbors& nearest, const VoteCounts& at_level,
                          double f) const {
  if (!around_mean_) return level_ + f;
  const auto& [votes, mean, sides] = *around_mean_;
  linalg::GroupedNeighbors groups(nearest.size());
  for (const auto& group : nearest) {
    for (const linalg::Neighbor& neighbor : group)
      groups[sides[neighbor.index]].push_back(neighbor);
  }
  for (auto& group : groups) std::ranges::sort(group, std::less<>());
  votes.put_first(at_level.voters, groups);
  const VoteCounts counts = votes.count(groups, at_level.voters);
  return mean + (counts.weights()[WeightedVotes::above] - counts.weights()[WeightedVotes::below]) /
                    counts.total;
}

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

std::vector<double> RankedPools::vote_shares(const linalg::GroupedNeighbors& nearest,
                                             const Decision& decision, Side side) const {
  const VoteCounts& counts = decision.counts;
  const std::size_t group = group_of(decision, side), members = counts.members[group];
  std::vector<double> shares(nearest[group].size(), 0.0);
  if (members == 0) return shares;
  const double total =
      is_regressor_ ? counts.weights()[decision.positive] + counts.weights()[decision.negative]
                    : counts.total;
  for (std::size_t n = 0; n < members; ++n)
    shares[n] = (votes_.are_uniform() ? 1.0 : counts.of_points(nearest, group)[n]) / total;
  return shares;
}

double RankedPools::score(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side) const {
  return pooled_score(pool(nearest, decision, side), rank_of(decision, side));
}

double RankedPools::radius(const linalg::GroupedNeighbors& nearest,
                           const Decision& decision) const {
  const double stretch = linalg::largest_stretch(distance_, points().cols());
  switch (output_) {
    case NeighborOutput::votes:
      return std::max(0.0, vote_radius(nearest, decision.prediction) / stretch);
    case NeighborOutput::distances:
      return std::max(0.0, centroid_radius(nearest, decision.prediction) / stretch);
    case NeighborOutput::mean:
    case NeighborOutput::shares:
      break;
  }
  return 0.0;
}

/// The winner keeps k - m + 1 votes, and so its majority, as long as its point of that rank is
/// nearer than the m-th point of all other classes. Both distances change by at most the length of
/// the change. Equal votes go to the first class.
double RankedPools::vote_radius(const linalg::GroupedNeighbors& nearest, std::size_t winner) const {
  const std::size_t k = votes_.k();
  const bool wins_ties = classes_ == 2 && winner == 0;
  const std::size_t others = wins_ties ? k / 2 + 1 : (k + 1) / 2, own = k - others + 1;
  std::vector<linalg::Neighbor> rivals;
  for (std::size_t c = 0; c < nearest.size(); ++c)
    if (c != winner) rivals.insert(rivals.end(), nearest[c].begin(), nearest[c].end());
  std::ranges::sort(rivals, std::less<>());
  if (nearest[winner].size() < own || rivals.size() < others) return 0.0;
  const double inner = distance_.length(nearest[winner][own - 1].squared_distance);
  return kRadiusSafety * 0.5 *
         (distance_.length(rivals[others - 1].squared_distance) * (1.0 - kRadiusError) - inner);
}

/// The nearest centroid wins: the bisectors are the boundary of Euclidean distances.
double RankedPools::centroid_radius(const linalg::GroupedNeighbors& nearest,
                                    std::size_t winner) const {
  double radius = std::numeric_limits<double>::infinity();
  const linalg::Neighbor own = nearest[winner][0];
  for (std::size_t c = 0; c < nearest.size(); ++c) {
    if (c == winner) continue;
    const linalg::Neighbor rival = nearest[c][0];
    if (is_euclidean_) {
      const double apart =
          std::sqrt(linalg::squared_distance(points()->row(own.index), points()->row(rival.index)));
      if (!(apart > 0.0)) return 0.0;
      radius =
          std::min(radius, (rival.squared_distance * (1.0 - kRadiusError) - own.squared_distance) /
                               (2.0 * apart));
    } else {
      radius = std::min(radius, 0.5 * (distance_.length(rival.squared_distance) -
                                       distance_.length(own.squared_distance)));
    }
  }
  return kRadiusSafety * radius;
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

namespace {

/// The rank at which a pool's weight reaches `wanted`; at least 1.
std::size_t rank_at(std::span<const double> weights, double wanted) {
  double sum = 0.0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    sum += weights[n];
    if (sum >= wanted) return n + 1;
  }
  return weights.size() + 1;
}

}  // namespace

double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank) {
  return rank <= pool.size() ? pool[rank - 1].squared_distance
                             : std::numeric_limits<double>::infinity();
}

double ranked_output(const linalg::GroupedNeighbors& nearest, const RankComparison& contrast) {
  return pooled_score(nearest[contrast.negative], contrast.negative_rank) -
         pooled_score(nearest[contrast.positive], contrast.positive_rank);
}

RankComparison compare_groups(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                              const VoteCounts& counts, std::size_t positive,
                              std::size_t negative) {
  const double wanted = (counts.weights()[positive] + counts.weights()[negative]) / 2.0;
  if (votes.are_uniform()) {
    const auto rank = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(wanted)));
    return {positive, negative, rank, rank};
  }
  return {positive, negative, rank_at(counts.of_points(nearest, positive), wanted),
          rank_at(counts.of_points(nearest, negative), wanted)};
}

std::size_t strongest_rival(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                            const VoteCounts& counts, std::size_t positive) {
  const std::span<const double> weights = counts.weights();
  if (weights.size() == 2) return 1 - positive;
  std::size_t rival = weights.size();
  double rival_g = 0.0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (c == positive) continue;
    const double g = ranked_output(nearest, compare_groups(votes, nearest, counts, positive, c));
    const bool stronger = rival == weights.size() || weights[c] > weights[rival] ||
                          (weights[c] == weights[rival] && g < rival_g);
    if (stronger) {
      rival = c;
      rival_g = g;
    }
  }
  return rival;
}

}  // namespace bisector::detail
