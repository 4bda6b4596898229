#include "core/models/voters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bisector/error.h"
#include "core/models/visit.h"
#include "core/models/vote_weights.h"

namespace bisector::detail {
namespace {

/// Distances that differ by less may be in another order elsewhere.
constexpr double kRounding = 1e-13;

bool are_equal(double a, double b) { return std::abs(a - b) <= kRounding * std::max(a, b); }

}  // namespace

bool has_ranked_pools(const Model& model) { return model.kernel() == nullptr; }

std::size_t Ballot::neighbors() const {
  return std::accumulate(members.begin(), members.end(), std::size_t{0});
}

std::span<const double> Ballot::of_points(const linalg::GroupedNeighbors& nearest,
                                          std::size_t group) const {
  std::size_t first = members.size();
  for (std::size_t g = 0; g < group; ++g) first += nearest[g].size();
  return std::span(counted).subspan(first, nearest[group].size());
}

Voters::Groups Voters::groups_of(const Model& model, double level) {
  return std::visit(
      Overloaded{
          [](const NeighborModel& m) {
    return Groups{m.shared_points(), m.classes(), m.labels().size(), m.k(), m.vote(), {}};
          },
          [](const CentroidModel& m) {
    std::vector<std::size_t> own(m.labels().size());
    std::iota(own.begin(), own.end(), std::size_t{0});
    NeighborVote vote;
    vote.distance = m.distance();
    return Groups{m.shared_points(), std::move(own), m.labels().size(), 1, std::move(vote), {}};
          },
          [&](const NeighborRegressor& m) {
    Groups groups{m.shared_points(), {}, 3, m.k(), m.vote(), {}};
    for (const double target : m.targets()) {
      groups.groups.push_back(target > level ? above : target < level ? below : at_level);
      groups.pulls.push_back(std::abs(target - level));
    }
    return groups;
          },
          []<class M>(const M&) -> Groups
            requires(M::kTask == Task::detection || requires(const M& m) {
    m.kernel(); })
          { throw InvalidInput("a model without votes, expected a model of neighbors");
}
}  // namespace bisector::detail
,
      model.predictor());
}

Voters::Voters(const Model& model, double level) : Voters(groups_of(model, level)) {}

Voters::Voters(Groups groups)
    : k_(groups.k),
      vote_(std::move(groups.vote)),
      radius_sum_(vote_.radius ? vote_.distance.sum(*vote_.radius) : 0.0),
      pulls_(std::move(groups.pulls)),
      is_uniform_(vote_.is_plain() && pulls_.empty()),
      search_(groups.points, groups.groups, groups.count, vote_.distance) {}

double Voters::vote_of(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                       const linalg::Neighbor& neighbor) const {
  if (vote_.rank_weights.empty())
    return detail::vote_of(vote_, neighbor, ballot.closest, ballot.has_exact);
  std::size_t rank = 0;  // of those without a vote: beyond the last
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const auto voters = std::span(nearest[g]).first(ballot.members[g]);
    rank += static_cast<std::size_t>(std::lower_bound(voters.begin(), voters.end(), neighbor) -
                                     voters.begin());
  }
  return vote_.rank_weights[std::min(rank, k_ - 1)];
}

std::size_t Voters::next_group(const linalg::GroupedNeighbors& nearest,
                               std::span<const std::size_t> taken) {
  std::size_t best = nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    if (taken[g] == nearest[g].size()) continue;
    if (best == nearest.size() || nearest[g][taken[g]] < nearest[best][taken[best]]) best = g;
  }
  return best;
}

bool Voters::has_vote(const linalg::Neighbor& neighbor, std::size_t taken) const {
  return vote_.radius ? neighbor.squared_distance <= radius_sum_ : taken < k_;
}

Voters::LastOnes Voters::last_ones(std::span<const linalg::Neighbor> group, std::size_t members,
                                   double distance) {
  // In order of their distances, they stand on both sides of where the votes end.
  const auto is_last = [&](std::size_t n) {
    return are_equal(group[n].squared_distance, distance);
  };
  std::size_t first = members, end = members;
  while (first > 0 && is_last(first - 1)) --first;
  while (end < group.size() && is_last(end)) ++end;
  return {members - first, end - first};
}

Voters::LastOnes Voters::all_last_ones(const linalg::GroupedNeighbors& nearest,
                                       const Ballot& ballot) {
  LastOnes together{0, 0};
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const LastOnes own = last_ones(nearest[g], ballot.members[g], ballot.last);
    together = {together.voted + own.voted, together.all + own.all};
  }
  return together;
}

bool Voters::has_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot) const {
  // Where points stand at the row and vote alone, further ones are none of the equals.
  if (vote_.radius || (ballot.has_exact && ballot.last > 0.0)) return ballot.at_radius;
  const LastOnes together = all_last_ones(nearest, ballot);
  return together.voted < together.all;
}

bool Voters::is_by_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                         std::size_t positive, std::size_t negative) const {
  if (!vote_.rank_weights.empty()) return is_by_rank_order(nearest, ballot, positive, negative);
  if (are_infinite(ballot, positive, negative)) return true;
  if (!has_order(nearest, ballot)) return false;
  if (vote_.radius) return true;
  if (!pulls_.empty() || !vote_.point_weights.empty()) return true;  // equals differ in weight
  const LastOnes together = all_last_ones(nearest, ballot);
  // Who leads gets as few of the votes at this distance as can be, the other as many.
  const double difference = ballot.weights()[positive] - ballot.weights()[negative];
  const auto [leader, other] =
      difference > 0.0 ? std::pair(positive, negative) : std::pair(negative, positive);
  const LastOnes of_leader = last_ones(nearest[leader], ballot.members[leader], ballot.last);
  const LastOnes of_other = last_ones(nearest[other], ballot.members[other], ballot.last);
  const std::size_t rest = together.all - of_leader.all;
  const std::size_t fewest = together.voted > rest ? together.voted - rest : 0;
  const std::size_t most = std::min(together.voted, of_other.all);
  const double lost = static_cast<double>(of_leader.voted - std::min(fewest, of_leader.voted)) +
                      static_cast<double>(most - std::min(of_other.voted, most));
  return std::abs(difference) <= lost * vote_of(nearest, ballot, {ballot.last, 0});
}

bool Voters::are_infinite(const Ballot& ballot, std::size_t positive, std::size_t negative) const {
  return ballot.has_exact && vote_.has_decay() && ballot.members[positive] > 0 &&
         ballot.members[negative] > 0;
}

bool Voters::is_by_rank_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                              std::size_t positive, std::size_t negative) const {
  std::vector<std::pair<linalg::Neighbor, double>> order;  // and what each pulls by
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const double side = g == positive ? 1.0 : g == negative ? -1.0 : 0.0;
    for (std::size_t n = 0; n < nearest[g].size(); ++n) {
      const linalg::Neighbor& next = nearest[g][n];
      if (n >= ballot.members[g] && !are_equal(next.squared_distance, ballot.last)) break;
      order.emplace_back(next, pulls_.empty() ? side : side * pulls_[next.index]);
    }
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  double least = 0.0, most = 0.0, rounding = 0.0;
  std::vector<double> weights, pulls;  // of points at one distance
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto& [point, pull] = order[rank];
    weights.push_back(rank < k_ ? vote_.rank_weights[rank] : 0.0);
    pulls.push_back(pull);
    rounding += kRounding * weights.back() * std::abs(pull);
    if (rank + 1 < order.size() &&
        are_equal(point.squared_distance, order[rank + 1].first.squared_distance))
      continue;
    std::ranges::sort(pulls);
    std::ranges::sort(weights);
    most += std::inner_product(pulls.begin(), pulls.end(), weights.begin(), 0.0);
    least += std::inner_product(pulls.begin(), pulls.end(), weights.rbegin(), 0.0);
    weights.clear();
    pulls.clear();
  }
  if (!pulls_.empty() && most - least > rounding) return true;  // the mean is another
  return least <= rounding && most >= -rounding;
}

bool Voters::is_winner_by_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                                std::size_t winner) const {
  const bool may_be = vote_.has_decay() || !vote_.rank_weights.empty();
  if (!may_be && !has_order(nearest, ballot)) return false;
  for (std::size_t g = 0; g < nearest.size(); ++g)
    if (g != winner && is_by_order(nearest, ballot, winner, g)) return true;
  return false;
}

void Voters::elect(const linalg::GroupedNeighbors& nearest, Ballot& ballot) const {
  ballot.members.assign(nearest.size(), 0);
  // Merge the groups' sorted lists; the next neighbor is the smallest of their heads.
  for (std::size_t taken = 0;; ++taken) {
    const std::size_t group = next_group(nearest, ballot.members);
    if (group == nearest.size()) break;
    const linalg::Neighbor& next = nearest[group][ballot.members[group]];
    if (vote_.radius && are_equal(next.squared_distance, radius_sum_)) ballot.at_radius = true;
    if (!has_vote(next, taken)) break;
    if (taken == 0) ballot.closest = next.squared_distance;
    ballot.last = next.squared_distance;
    ++ballot.members[group];
  }
  ballot.has_exact = ballot.closest >= 0.0 && has_infinite_vote(vote_, ballot.closest);
  const auto is_at_row = [&](const linalg::Neighbor& n) {
    return has_infinite_vote(vote_, n.squared_distance);
  };
  for (std::size_t g = 0; ballot.has_exact && g < nearest.size(); ++g)
    ballot.members[g] = std::min(
        ballot.members[g], static_cast<std::size_t>(std::ranges::count_if(nearest[g], is_at_row)));
}

Ballot Voters::count(const linalg::GroupedNeighbors& nearest) const {
  Ballot ballot;
  elect(nearest, ballot);
  std::size_t size = nearest.size();
  for (const auto& group : nearest) size += is_uniform_ ? 0 : group.size();
  ballot.counted.assign(size, 0.0);
  double* of_point = ballot.counted.data() + nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    const std::size_t counted = is_uniform_ ? ballot.members[g] : nearest[g].size();
    for (std::size_t n = 0; n < counted; ++n) {
      const double vote = vote_of(nearest, ballot, nearest[g][n]);
      const double weight = pulls_.empty() ? vote : vote * pulls_[nearest[g][n].index];
      if (!is_uniform_) *of_point++ = weight;
      if (n >= ballot.members[g]) continue;
      ballot.counted[g] += weight;
      ballot.votes += vote;
    }
  }
  if (vote_.has_decay() && ballot.votes > 0.0) count_further(nearest, ballot);
  return ballot;
}

void Voters::count_further(const linalg::GroupedNeighbors& nearest, Ballot& ballot) const {
  double* of_point = ballot.counted.data() + nearest.size();
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    for (std::size_t n = ballot.members[g]; n < nearest[g].size(); ++n)
      of_point[n] = ballot.unit() * (pulls_.empty() ? 1.0 : pulls_[nearest[g][n].index]);
    of_point += nearest[g].size();
  }
}

bool Voters::suffices(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                      std::size_t count, std::size_t beyond) const {
  for (std::size_t g = 0; g < nearest.size(); ++g) {
    if (nearest[g].size() < count) continue;  // the whole group
    if (vote_.radius && nearest[g].back().squared_distance <= radius_sum_) return false;
    if (!pulls_.empty() && g == at_level) continue;  // has no pool
    double rival = 0.0;
    for (std::size_t h = 0; h < nearest.size(); ++h) {
      if (h != g) rival = std::max(rival, ballot.weights()[h]);
    }
    const double wanted = (ballot.weights()[g] + rival) / 2.0;
    double sum = 0.0;
    std::size_t rank = 0;
    const auto own = ballot.of_points(nearest, g);
    while (rank < own.size() && (rank == 0 || sum < wanted)) sum += own[rank++];
    if (sum < wanted || rank + beyond > nearest[g].size()) return false;
  }
  return true;
}

std::size_t Voters::uniform_count(std::size_t beyond) const {
  return std::max(k_, (k_ + 1) / 2 + std::min(beyond, points().rows()));
}

std::size_t Voters::further_ranks() const {
  const bool is_by_distance = vote_.weights == NeighborVote::Weights::distance && !vote_.radius &&
                              vote_.point_weights.empty() && pulls_.empty();
  const std::size_t features = points().cols();
  return is_by_distance ? std::min(k_ / 2, (k_ + features / 2) / features) : k_ / 2;
}

std::vector<linalg::GroupedNeighbors> Voters::nearest_on_lines(MatrixView<const double> rows,
                                                               const linalg::Lines<double>& lines,
                                                               std::size_t beyond,
                                                               unsigned threads) const {
  if (is_uniform_) return search_.search_on_lines(rows, lines, uniform_count(beyond), threads);
  return linalg::search_at_points(rows, lines, [&](MatrixView<const double> points) {
    return nearest(points, beyond, threads);
  });
}

std::vector<linalg::GroupedNeighbors> Voters::nearest(MatrixView<const double> rows,
                                                      std::size_t beyond, unsigned threads,
                                                      std::vector<Ballot>* ballots) const {
  // No group has ranks beyond the number of points, and a sum with a larger number could wrap.
  constexpr std::size_t kFirst = 8;
  const std::size_t more = std::min(beyond, points().rows());
  std::size_t count = uniform_count(beyond);
  if (!is_uniform_) count = std::max(count + further_ranks(), kFirst);
  auto found = search_.search(rows, count, threads);
  if (is_uniform_) return found;
  std::vector<std::size_t> missing(rows.rows());
  std::iota(missing.begin(), missing.end(), std::size_t{0});
  if (ballots) ballots->resize(rows.rows());
  for (;; count *= 2) {
    std::erase_if(missing, [&](std::size_t r) {
      Ballot ballot = this->count(found[r]);
      const bool is_enough = suffices(found[r], ballot, count, more);
      if (is_enough && ballots) (*ballots)[r] = std::move(ballot);
      return is_enough;
    });
    if (missing.empty()) return found;
    auto further = search_.search(gather_rows(rows, missing).view(), 2 * count, threads);
    for (std::size_t m = 0; m < missing.size(); ++m) found[missing[m]] = std::move(further[m]);
  }
}

}  // namespace bisector::detail
