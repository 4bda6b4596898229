#include "core/models/weighted_votes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "bisector/error.h"
#include "core/models/model_fields.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

/// Relative difference of sums of distances whose order rounding may change, also the rounding of
/// a scaler in front of the model.
constexpr double kNearlyEqual = 1e-9;
/// Relative difference of sums of votes that are equal up to rounding.
constexpr double kRounding = 1e-13;
/// Votes of points at the row's place are shares to this precision.
constexpr double kPrecision = 1e-6;

bool contains(std::span<const std::size_t> indices, std::size_t index) {
  return std::ranges::find(indices, index) != indices.end();
}

VotingPoints voting_points(const NeighborModel& m, double) {
  return {m.shared_points(), m.classes(), m.labels().size(), m.k(), m.vote(), {}};
}

VotingPoints voting_points(const CentroidModel& m, double) {
  std::vector<std::size_t> own(m.labels().size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  NeighborVote vote;
  vote.distance = m.distance();
  return {m.shared_points(), std::move(own), m.labels().size(), 1, std::move(vote), {}};
}

VotingPoints voting_points(const NeighborRegressor& m, double level) {
  using enum WeightedVotes::Group;
  VotingPoints voting{m.shared_points(), {}, 3, m.k(), m.vote(), {}};
  for (const double target : m.targets()) {
    voting.groups.push_back(target > level ? above : target < level ? below : at_level);
    voting.target_offsets.push_back(std::abs(target - level));
  }
  return voting;
}

template <class M>
requires(KernelKind<M> || M::kTask == Task::detection) VotingPoints
    voting_points(const M&, double) {
  throw InvalidInput("a model without votes, expected a model of neighbors");
}

}  // namespace

bool has_ranked_pools(const Model& model) { return model.kernel() == nullptr; }

std::size_t VoteCounts::neighbors() const {
  return std::accumulate(members.begin(), members.end(), std::size_t{0});
}

std::span<const double> VoteCounts::of_points(const linalg::GroupedNeighbors& nearest,
                                              std::size_t group) const {
  std::size_t first = members.size();
  for (std::size_t g = 0; g < group; ++g) first += nearest[g].size();
  return std::span(counted).subspan(first, nearest[group].size());
}

VotingPoints voting_points(const Model& model, double level) {
  return std::visit([&](const auto& m) { return voting_points(m, level); }, model.predictor());
}

WeightedVotes::WeightedVotes(VotingPoints voting)
    : k_(voting.k),
      vote_(std::move(voting.vote)),
      radius_sum_(vote_.radius ? vote_.distance.sum(*vote_.radius) : 0.0),
      target_offsets_(std::move(voting.target_offsets)),
      is_uniform_(vote_.is_plain() && target_offsets_.empty()),
      sum_of_one_place_(detail::sum_of_one_place(voting.points, vote_.distance)),
      search_(voting.points, voting.groups, voting.group_count, vote_.distance) {}

double WeightedVotes::vote_weight(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                                  const linalg::Neighbor& neighbor) const {
  if (vote_.rank_weights.empty())
    return detail::vote_weight(vote_, neighbor, counts.closest, counts.has_exact);
  std::size_t rank = 0;  // points without a vote come after the last neighbor
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const auto members = std::span(nearest[g]).first(counts.members[g]);
    rank += static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), neighbor) -
                                     members.begin());
  }
  return vote_.rank_weights[std::min(rank, k_ - 1)];
}

std::size_t WeightedVotes::next_group(const linalg::GroupedNeighbors& nearest,
                                      std::span<const std::size_t> taken) {
  std::size_t best = nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    if (taken[g] == nearest[g].size()) continue;
    if (best == nearest.size() || nearest[g][taken[g]] < nearest[best][taken[best]]) best = g;
  }
  return best;
}

bool WeightedVotes::has_vote(const linalg::Neighbor& neighbor, std::size_t taken) const {
  return vote_.radius ? neighbor.squared_distance <= radius_sum_ : taken < k_;
}

bool WeightedVotes::are_equal(double a, double b, double difference) const {
  const double larger = std::max(a, b);
  return larger <= sum_of_one_place_ || std::abs(a - b) <= difference * larger;
}

WeightedVotes::AtLastDistance WeightedVotes::at_last_distance(
    std::span<const linalg::Neighbor> group, std::size_t members, double distance,
    double difference) const {
  // Points are in order of distance; equal ones may lie on both sides of the last neighbor.
  const auto is_last = [&](std::size_t n) {
    return are_equal(group[n].squared_distance, distance, difference);
  };
  std::size_t first = members, end = members;
  while (first > 0 && is_last(first - 1)) --first;
  while (end < group.size() && is_last(end)) ++end;
  return {members - first, end - first};
}

WeightedVotes::AtLastDistance WeightedVotes::all_at_last_distance(
    const linalg::GroupedNeighbors& nearest, const VoteCounts& counts, double difference) const {
  AtLastDistance together{0, 0};
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const AtLastDistance own =
        at_last_distance(nearest[g], counts.members[g], counts.last, difference);
    together = {together.voted + own.voted, together.all + own.all};
  }
  return together;
}

bool WeightedVotes::is_by_order(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                                std::size_t positive, std::size_t negative) const {
  if (!vote_.rank_weights.empty()) {
    const Range range = range_by_rank(nearest, counts, positive, negative);
    return range.most - range.least > range.rounding;
  }
  if (counts.is_rounded || are_infinite(nearest, counts, positive, negative)) return true;
  if (!counts.has_order) return false;
  if (vote_.radius || !target_offsets_.empty() || !vote_.point_weights.empty()) return true;
  const AtLastDistance together = all_at_last_distance(nearest, counts, kNearlyEqual);
  const auto may_vary = [&](std::size_t group) {
    const std::size_t own =
        at_last_distance(nearest[group], counts.members[group], counts.last, kNearlyEqual).all;
    return own > 0 && own < together.all;
  };
  return may_vary(positive) || may_vary(negative);
}

bool WeightedVotes::may_change_sign(const linalg::GroupedNeighbors& nearest,
                                    const VoteCounts& counts, std::size_t positive,
                                    std::size_t negative) const {
  if (!vote_.rank_weights.empty()) {
    const Range range = range_by_rank(nearest, counts, positive, negative);
    return range.least <= range.rounding && range.most >= -range.rounding;
  }
  if (are_infinite(nearest, counts, positive, negative)) return true;
  if (!counts.has_order) return false;
  if (vote_.radius || !target_offsets_.empty() || !vote_.point_weights.empty())
    return true;  // equal distances with different weights
  const AtLastDistance together = all_at_last_distance(nearest, counts, kNearlyEqual);
  // The leader gets as few votes at this distance as possible, the other group as many.
  const double difference = counts.weights()[positive] - counts.weights()[negative];
  const auto [leader, other] =
      difference > 0.0 ? std::pair(positive, negative) : std::pair(negative, positive);
  const AtLastDistance of_leader =
      at_last_distance(nearest[leader], counts.members[leader], counts.last, kNearlyEqual);
  const AtLastDistance of_other =
      at_last_distance(nearest[other], counts.members[other], counts.last, kNearlyEqual);
  const std::size_t rest = together.all - of_leader.all;
  const std::size_t fewest = together.voted > rest ? together.voted - rest : 0;
  const std::size_t most = std::min(together.voted, of_other.all);
  const double lost = static_cast<double>(of_leader.voted - std::min(fewest, of_leader.voted)) +
                      static_cast<double>(most - std::min(of_other.voted, most));
  return std::abs(difference) <= lost * vote_weight(nearest, counts, {counts.last, 0});
}

bool WeightedVotes::are_infinite(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                                 std::size_t positive, std::size_t negative) const {
  const std::size_t all = counts.neighbors();
  if (!counts.has_exact || all < 2) return false;
  const auto is_some = [&](std::size_t group) {
    return counts.members[group] > 0 && counts.members[group] < all;
  };
  if (is_some(positive) || is_some(negative)) return true;
  if (target_offsets_.empty()) return false;
  for (std::size_t g = 0; g < nearest.size(); ++g)
    for (std::size_t n = 1; n < counts.members[g]; ++n)
      if (target_offsets_[nearest[g][n].index] != target_offsets_[nearest[g][0].index]) return true;
  return false;
}

WeightedVotes::Range WeightedVotes::range_by_rank(const linalg::GroupedNeighbors& nearest,
                                                  const VoteCounts& counts, std::size_t positive,
                                                  std::size_t negative) const {
  std::vector<std::pair<linalg::Neighbor, double>> order;  // with its signed offset from the level
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const double side = g == positive ? 1.0 : g == negative ? -1.0 : 0.0;
    for (std::size_t n = 0; n < nearest[g].size(); ++n) {
      const linalg::Neighbor& next = nearest[g][n];
      if (n >= counts.members[g] && !are_equal(next.squared_distance, counts.last, kNearlyEqual))
        break;
      order.emplace_back(next, target_offsets_.empty() ? side : side * target_offsets_[next.index]);
    }
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Range range;
  std::vector<double> weights, target_offsets;  // at one distance
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto& [point, offset] = order[rank];
    weights.push_back(rank < k_ ? vote_.rank_weights[rank] : 0.0);
    target_offsets.push_back(offset);
    range.rounding += kRounding * weights.back() * std::abs(offset);
    if (rank + 1 < order.size() &&
        are_equal(point.squared_distance, order[rank + 1].first.squared_distance, kNearlyEqual))
      continue;
    std::ranges::sort(target_offsets);
    std::ranges::sort(weights);
    range.most +=
        std::inner_product(target_offsets.begin(), target_offsets.end(), weights.begin(), 0.0);
    range.least +=
        std::inner_product(target_offsets.begin(), target_offsets.end(), weights.rbegin(), 0.0);
    weights.clear();
    target_offsets.clear();
  }
  return range;
}

bool WeightedVotes::is_winner_by_order(const linalg::GroupedNeighbors& nearest,
                                       const VoteCounts& counts, std::size_t winner) const {
  if (!counts.has_order && !counts.has_exact && vote_.rank_weights.empty()) return false;
  for (std::size_t g = 0; g < nearest.size(); ++g)
    if (g != winner && may_change_sign(nearest, counts, winner, g)) return true;
  return false;
}

void WeightedVotes::find_members(const linalg::GroupedNeighbors& nearest,
                                 VoteCounts& counts) const {
  counts.members.assign(nearest.size(), 0);
  // Merge the sorted lists of the groups.
  for (std::size_t taken = 0;; ++taken) {
    const std::size_t group = next_group(nearest, counts.members);
    if (group == nearest.size()) break;
    const linalg::Neighbor& next = nearest[group][counts.members[group]];
    if (vote_.radius && are_equal(next.squared_distance, radius_sum_, kNearlyEqual))
      counts.at_radius = true;
    if (!has_vote(next, taken)) break;
    if (taken == 0) counts.closest = next.squared_distance;
    counts.last = next.squared_distance;
    ++counts.members[group];
  }
  counts.has_order = counts.at_radius;
  if (!vote_.radius) choose_at_last_distance(nearest, counts);
  keep_exact(nearest, counts);
}

void WeightedVotes::choose_at_last_distance(const linalg::GroupedNeighbors& nearest,
                                            VoteCounts& counts) const {
  const AtLastDistance nearly = all_at_last_distance(nearest, counts, kNearlyEqual);
  counts.has_order = nearly.voted < nearly.all;
  if (!counts.has_order) return;
  const double difference = counts.voters.empty() ? 0.0 : kNearlyEqual;
  const AtLastDistance together = all_at_last_distance(nearest, counts, difference);
  std::vector<std::tuple<bool, std::size_t, std::size_t>> at_last;  // no voter, index and group
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const AtLastDistance own =
        at_last_distance(nearest[g], counts.members[g], counts.last, difference);
    counts.members[g] -= own.voted;
    for (std::size_t n = 0; n < own.all; ++n) {
      const std::size_t index = nearest[g][counts.members[g] + n].index;
      at_last.emplace_back(!contains(counts.voters, index), index, g);
    }
  }
  std::ranges::sort(at_last);
  for (const auto& [is_other, index, group] : std::span(at_last).first(together.voted))
    ++counts.members[group];
}

void WeightedVotes::keep_exact(const linalg::GroupedNeighbors& nearest, VoteCounts& counts) const {
  const auto is_exact = [&](double sum) {
    return has_infinite_vote(vote_, sum, sum_of_one_place_);
  };
  counts.has_exact = counts.closest >= 0.0 && is_exact(counts.closest);
  if (!counts.has_exact) return;
  // Farther points at equal distances have no vote.
  if (!vote_.radius && !is_exact(counts.last)) counts.has_order = false;
  const auto neighbors = static_cast<double>(counts.neighbors());
  double farthest = 0.0, next = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    std::size_t exact = 0;
    while (exact < counts.members[g] && is_exact(nearest[g][exact].squared_distance)) ++exact;
    if (exact > 0) farthest = std::max(farthest, nearest[g][exact - 1].squared_distance);
    if (exact < counts.members[g]) next = std::min(next, nearest[g][exact].squared_distance);
    counts.members[g] = exact;
  }
  counts.is_rounded =
      kPrecision * vote_.distance.length(next) < neighbors * vote_.distance.length(farthest);
}

void WeightedVotes::put_first(std::span<const std::size_t> voters,
                              linalg::GroupedNeighbors& nearest) const {
  if (voters.empty()) return;
  for (auto& group : nearest) {
    for (auto first = group.begin(), end = first; first != group.end(); first = end) {
      const double distance = first->squared_distance;
      end = std::find_if(first, group.end(), [&](const linalg::Neighbor& other) {
        return !are_equal(other.squared_distance, distance, kNearlyEqual);
      });
      std::stable_partition(first, end, [&](const linalg::Neighbor& neighbor) {
        return contains(voters, neighbor.index);
      });
    }
  }
}

VoteCounts WeightedVotes::count(const linalg::GroupedNeighbors& nearest,
                                std::span<const std::size_t> voters) const {
  VoteCounts counts;
  counts.voters.assign(voters.begin(), voters.end());
  find_members(nearest, counts);
  std::size_t size = nearest.size();
  for (const auto& group : nearest) size += is_uniform_ ? 0 : group.size();
  counts.counted.assign(size, 0.0);
  double* of_point = counts.counted.data() + nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const std::size_t counted = is_uniform_ ? counts.members[g] : nearest[g].size();
    for (std::size_t n = 0; n < counted; ++n) {
      const double vote = vote_weight(nearest, counts, nearest[g][n]);
      const double weight =
          target_offsets_.empty() ? vote : vote * target_offsets_[nearest[g][n].index];
      if (!is_uniform_) *of_point++ = weight;
      if (n >= counts.members[g]) continue;
      counts.counted[g] += weight;
      counts.total += vote;
    }
  }
  if (vote_.has_decay() && counts.total > 0.0) fill_further(nearest, counts);
  if (counts.neighbors() == 0) {
    counts.total = 1.0;
    if (vote_.outlier_class) counts.counted[*vote_.outlier_class] = 1.0;
  }
  return counts;
}

void WeightedVotes::fill_further(const linalg::GroupedNeighbors& nearest,
                                 VoteCounts& counts) const {
  double* of_point = counts.counted.data() + nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    for (std::size_t n = counts.members[g]; n < nearest[g].size(); ++n)
      of_point[n] =
          counts.unit() * (target_offsets_.empty() ? 1.0 : target_offsets_[nearest[g][n].index]);
    of_point += nearest[g].size();
  }
}

bool WeightedVotes::suffices(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                             std::size_t count, std::size_t beyond) const {
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    if (nearest[g].size() < count) continue;  // all points of the group
    if (vote_.radius && nearest[g].back().squared_distance <= radius_sum_) return false;
    if (!target_offsets_.empty() && g == at_level) continue;  // not a pool
    double rival = 0.0;
    for (std::size_t h = 0; h < nearest.size(); ++h) {
      if (h != g) rival = std::max(rival, counts.weights()[h]);
    }
    const double wanted = (counts.weights()[g] + rival) / 2.0;
    double sum = 0.0;
    std::size_t rank = 0;
    const auto own = counts.of_points(nearest, g);
    while (rank < own.size() && (rank == 0 || sum < wanted)) sum += own[rank++];
    if (sum < wanted || rank + beyond > nearest[g].size()) return false;
  }
  return true;
}

std::size_t WeightedVotes::uniform_count(std::size_t beyond) const {
  return std::max(k_, (k_ + 1) / 2 + std::min(beyond, points().rows()));
}

std::size_t WeightedVotes::further_ranks() const {
  const bool is_by_distance = vote_.weights == NeighborVote::Weights::distance && !vote_.radius &&
                              vote_.point_weights.empty() && target_offsets_.empty();
  const std::size_t features = points().cols();
  return is_by_distance ? std::min(k_ / 2, (k_ + features / 2) / features) : k_ / 2;
}

std::vector<linalg::GroupedNeighbors> WeightedVotes::nearest_on_lines(
    MatrixView<const double> rows, const linalg::Lines<double>& lines, std::size_t beyond,
    unsigned threads) const {
  if (is_uniform_) return search_.search_on_lines(rows, lines, uniform_count(beyond), threads);
  return linalg::search_at_points(rows, lines, [&](MatrixView<const double> points) {
    return nearest(points, beyond, threads);
  });
}

std::vector<linalg::GroupedNeighbors> WeightedVotes::nearest(
    MatrixView<const double> rows, std::size_t beyond, unsigned threads,
    std::vector<VoteCounts>* all_counts) const {
  // More ranks than points do not exist, and larger sums could overflow.
  constexpr std::size_t kFirst = 8;
  const std::size_t more = std::min(beyond, points().rows());
  std::size_t count = uniform_count(beyond);
  if (!is_uniform_) count = std::max(count + further_ranks(), kFirst);
  auto found = search_.search(rows, count, threads);
  if (is_uniform_) return found;
  std::vector<std::size_t> missing(rows.rows());
  std::iota(missing.begin(), missing.end(), std::size_t{0});
  if (all_counts) all_counts->resize(rows.rows());
  for (;; count *= 2) {
    std::erase_if(missing, [&](std::size_t r) {
      VoteCounts counts = this->count(found[r]);
      const bool is_enough = suffices(found[r], counts, count, more);
      if (is_enough && all_counts) (*all_counts)[r] = std::move(counts);
      return is_enough;
    });
    if (missing.empty()) return found;
    auto further = search_.search(gather_rows(rows, missing).view(), 2 * count, threads);
    for (std::size_t m = 0; m < missing.size(); ++m) found[missing[m]] = std::move(further[m]);
  }
}

}  // namespace bisector::detail
