#include "core/explain/ways.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bisector/random.h"

namespace bisector::detail {
namespace {

/// g of as many candidates as a side of the decision needs, in their order.
struct Decided {
  std::vector<double> g;
  std::vector<std::size_t> above, below;  // candidates with g > 0, and the others
};

Decided decide(const WayPlan& plan, const ContrastWays::Output& output) {
  const std::size_t wanted = plan.side == ReferenceSide::both ? (plan.steps + 1) / 2 : plan.steps;
  Decided decided;
  const auto is_enough = [&] {
    if (plan.side == ReferenceSide::all) return decided.g.size() >= wanted;
    return decided.above.size() >= wanted && decided.below.size() >= wanted;
  };
  const auto candidates = plan.candidates.view();
  while (decided.g.size() < candidates.rows() && !is_enough()) {
    const std::size_t first = decided.g.size();
    const std::size_t left = candidates.rows() - first;
    const std::size_t most = plan.side == ReferenceSide::all ? wanted - first : linalg::kRowTile;
    const std::size_t count = std::min({linalg::kRowTile, left, most});
    for (const double g : output(candidates.rows(first, count))) {
      (g > 0.0 ? decided.above : decided.below).push_back(decided.g.size());
      decided.g.push_back(g);
    }
  }
  return decided;
}

/// The candidate of every step, from two lists in turn; of lists that are too short some serve
/// again.
std::vector<std::size_t> in_turn(std::size_t steps, const std::vector<std::size_t>& first,
                                 const std::vector<std::size_t>& second) {
  const auto& even = first.empty() ? second : first;
  const auto& odd = second.empty() ? first : second;
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < steps; ++s)
    chosen.push_back(s % 2 == 0 ? even[s / 2 % even.size()] : odd[s / 2 % odd.size()]);
  return chosen;
}

std::vector<std::size_t> around(std::size_t steps, const std::vector<std::size_t>& list) {
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < steps; ++s) chosen.push_back(list[s % list.size()]);
  return chosen;
}

Ways make_ways(const WayPlan& plan, const std::vector<std::size_t>& chosen,
               const std::vector<double>& g) {
  std::vector<std::size_t> order(plan.steps);
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  Random(plan.seed).shuffle(std::span(order));
  Ways ways{};
  std::map<std::size_t, std::size_t> places;
  std::vector<std::size_t> unique;
  double finite = 0.0;
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    const auto [place, is_new] = places.emplace(chosen[s], unique.size());
    if (is_new) unique.push_back(chosen[s]);
    ways.steps.push_back(
        {place->second, (static_cast<double>(order[s]) + 0.5) / static_cast<double>(plan.steps)});
    if (!std::isfinite(g[chosen[s]])) continue;
    ways.base += g[chosen[s]];
    ++finite;
  }
  if (finite > 0.0) ways.base /= finite;
  ways.references = gather_rows(plan.candidates, unique);
  if (plan.input_candidates.rows() > 0)
    ways.input_references = gather_rows(plan.input_candidates, unique);
  return ways;
}

}  // namespace

ContrastWays::ContrastWays(const WayPlan& plan, const Output& output) {
  const Decided decided = decide(plan, output);
  std::vector<std::size_t> all(decided.g.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
  if (plan.side == ReferenceSide::all) {
    above_ = make_ways(plan, around(plan.steps, all), decided.g);
  } else if (plan.side == ReferenceSide::both) {
    above_ = make_ways(plan, in_turn(plan.steps, decided.above, decided.below), decided.g);
  } else {
    // Where a side has no candidate, all of them stand for it.
    const auto from = [&](const std::vector<std::size_t>& side) {
      return make_ways(plan, around(plan.steps, side.empty() ? all : side), decided.g);
    };
    above_ = from(decided.below);
    below_ = from(decided.above);
  }
}

}  // namespace bisector::detail
