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

/// `g_of_all` has g at the candidates, or is empty.
Paths make_paths(const PathPlan& plan, const std::vector<std::size_t>& chosen,
                 const Contrast& contrast, std::span<const double> g_of_all = {}) {
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
  std::vector<double> g;
  if (g_of_all.empty()) g = contrast.g_at(paths.references);
  for (std::size_t n = 0; !g_of_all.empty() && n < unique.size(); ++n)
    g.push_back(g_of_all[unique[n]]);
  double finite = 0.0;
  for (const linalg::LineStep& step : paths.steps) {
    if (!std::isfinite(g[step.start])) continue;
    paths.base += g[step.start];
    ++finite;
  }
  if (finite > 0.0) paths.base /= finite;
  return paths;
}

/// g at all candidates.
std::vector<double> g_at_candidates(const PathPlan& plan, const Contrasts& contrasts,
                                    Model::ClassPair pair) {
  const auto rows = [&](std::size_t first, std::size_t count) {
    return MappedRows(plan.candidates.view().rows(first, count));
  };
  std::vector<double> g;
  g.reserve(plan.candidates.rows());
  for (const RowDecision& decision :
       contrasts.decide({plan.source, plan.seed, plan.candidates.rows(), rows}, pair))
    g.push_back(decision.g);
  return g;
}

}  // namespace

ContrastPaths::ContrastPaths(const PathPlan& plan, const Contrasts& contrasts,
                             Model::ClassPair pair) {
  const Contrast& contrast = contrasts.of(pair);
  const auto choose = [&](const std::vector<std::size_t>& list, std::size_t count) {
    return balanced_choice(plan.candidates, list, count);
  };
  std::vector<std::size_t> all(plan.candidates.rows()), above, below;
  std::vector<double> g;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (plan.side != ReferenceSide::all) {
    g = g_at_candidates(plan, contrasts, pair);
    for (const std::size_t n : all) (g[n] > 0.0 ? above : below).push_back(n);
  }
  // If a side has no candidate, all candidates represent it.
  if (plan.side == ReferenceSide::all || above.empty() || below.empty()) {
    above_ = make_paths(plan, choose(all, plan.steps), contrast, g);
  } else if (plan.side == ReferenceSide::both) {
    std::vector<std::size_t> chosen = choose(above, (plan.steps + 1) / 2);
    const std::vector<std::size_t> others = choose(below, plan.steps / 2);
    chosen.insert(chosen.end(), others.begin(), others.end());
    above_ = make_paths(plan, chosen, contrast, g);
  } else {
    above_ = make_paths(plan, choose(below, plan.steps), contrast, g);
    below_ = make_paths(plan, choose(above, plan.steps), contrast, g);
  }
}

}  // namespace bisector::detail
