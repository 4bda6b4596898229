#include "core/rules/contrast_paths.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "bisector/random.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

/// The midpoints of equal parts of the path, one for each reference. Of some random orders this is
/// the one that is least correlated with the features of the references.
std::vector<double> spread_fractions(const Matrix& candidates,
                                     const std::vector<std::size_t>& chosen, std::uint64_t seed) {
  constexpr std::size_t kOrders = 64;
  const auto count = static_cast<double>(chosen.size());
  std::vector<double> order(chosen.size()), best;
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = (static_cast<double>(s) + 0.5) / count;
  const Matrix moments = standard_moments(gather_rows(candidates, chosen));
  Random random(seed);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kOrders; ++i) {
    random.shuffle(std::span(order));
    std::vector<double> covariance(moments.cols(), 0.0);
    for (std::size_t s = 0; s < order.size(); ++s) {
      for (std::size_t v = 0; v < covariance.size(); ++v)
        covariance[v] += (order[s] - 0.5) * moments(s, v);
    }
    const double size = linalg::squared_norm(covariance);
    if (!best.empty() && size >= smallest) continue;
    smallest = size;
    best = order;
  }
  return best;
}

Paths make_paths(const PathPlan& plan, const std::vector<std::size_t>& chosen,
                 const Contrast& contrast) {
  Paths paths{};
  std::map<std::size_t, std::size_t> places;
  std::vector<std::size_t> unique;
  const std::vector<double> fractions = spread_fractions(plan.candidates, chosen, plan.seed);
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    const auto [place, is_new] = places.emplace(chosen[s], unique.size());
    if (is_new) unique.push_back(chosen[s]);
    paths.steps.push_back({place->second, fractions[s]});
  }
  paths.references = gather_rows(plan.candidates, unique);
  if (plan.input_candidates.rows() > 0)
    paths.input_references = gather_rows(plan.input_candidates, unique);
  if (!contrast.center().empty())
    paths.starts = centered(paths.references.view(), contrast.center());
  const std::vector<double> g = contrast.g_at(paths.references);
  double finite = 0.0;
  for (const linalg::LineStep& step : paths.steps) {
    if (!std::isfinite(g[step.start])) continue;
    paths.base += g[step.start];
    ++finite;
  }
  if (finite > 0.0) paths.base /= finite;
  return paths;
}

}  // namespace

ContrastPaths::ContrastPaths(const PathPlan& plan, const Contrast& contrast) {
  const auto choose = [&](const std::vector<std::size_t>& list, std::size_t count) {
    return balanced_choice(plan.candidates, list, count);
  };
  std::vector<std::size_t> all(plan.candidates.rows()), above, below;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (plan.side != ReferenceSide::all) {
    const std::vector<double> g = contrast.g_at(plan.candidates);
    for (const std::size_t n : all) (g[n] > 0.0 ? above : below).push_back(n);
  }
  // If a side has no candidate, all candidates represent it.
  if (plan.side == ReferenceSide::all || above.empty() || below.empty()) {
    above_ = make_paths(plan, choose(all, plan.steps), contrast);
  } else if (plan.side == ReferenceSide::both) {
    std::vector<std::size_t> chosen = choose(above, (plan.steps + 1) / 2);
    const std::vector<std::size_t> others = choose(below, plan.steps / 2);
    chosen.insert(chosen.end(), others.begin(), others.end());
    above_ = make_paths(plan, chosen, contrast);
  } else {
    above_ = make_paths(plan, choose(below, plan.steps), contrast);
    below_ = make_paths(plan, choose(above, plan.steps), contrast);
  }
}

}  // namespace bisector::detail
