#include "core/explain/ways.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "bisector/random.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// A row's features and their squares around the candidates' mean, in standard deviations: what the
/// chosen references should have the mean of.
Matrix moments_of(const Matrix& rows) {
  const std::size_t features = rows.cols();
  Matrix moments(rows.rows(), 2 * features);
  const std::vector<double> mean = linalg::row_mean(rows.view());
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (std::size_t d = 0; d < features; ++d) {
      moments(n, d) = rows(n, d) - mean[d];
      moments(n, features + d) = moments(n, d) * moments(n, d);
    }
  }
  const std::vector<double> center = linalg::row_mean(moments.view());
  for (std::size_t v = 0; v < moments.cols(); ++v) {
    double variance = 0.0;
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      moments(n, v) -= center[v];
      variance += moments(n, v) * moments(n, v);
    }
    const double deviation = std::sqrt(variance / static_cast<double>(rows.rows()));
    for (std::size_t n = 0; deviation > 0.0 && n < rows.rows(); ++n) moments(n, v) /= deviation;
  }
  return moments;
}

/// `count` of the candidates in `list`, one after the other the one that brings the mean of all
/// chosen closest to that of the list; when all have served, they serve again.
std::vector<std::size_t> balanced(const Matrix& candidates, const std::vector<std::size_t>& list,
                                  std::size_t count) {
  const Matrix moments = moments_of(gather_rows(candidates, list));
  std::vector<double> sum(moments.cols(), 0.0), squares(list.size());
  for (std::size_t n = 0; n < list.size(); ++n) squares[n] = linalg::squared_norm(moments.row(n));
  std::vector<bool> is_taken(list.size(), false);
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    if (chosen.size() % list.size() == 0) is_taken.assign(list.size(), false);
    std::size_t best = list.size();
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (is_taken[n]) continue;
      const double distance = squares[n] + 2.0 * linalg::dot(sum, moments.row(n));
      if (best < list.size() && distance >= smallest) continue;
      smallest = distance;
      best = n;
    }
    is_taken[best] = true;
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += moments(best, v);
    chosen.push_back(list[best]);
  }
  return chosen;
}

/// The middles of equal parts of the way, one for each reference: of some random orders the one
/// that goes least with any feature of the references.
std::vector<double> spread_fractions(const Matrix& candidates,
                                     const std::vector<std::size_t>& chosen, std::uint64_t seed) {
  constexpr std::size_t kOrders = 64;
  const auto count = static_cast<double>(chosen.size());
  std::vector<double> order(chosen.size()), best;
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = (static_cast<double>(s) + 0.5) / count;
  const Matrix moments = moments_of(gather_rows(candidates, chosen));
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

std::vector<double> outputs_of(const Matrix& rows, const ContrastWays::Output& output) {
  std::vector<double> g;
  for (std::size_t first = 0; first < rows.rows(); first += linalg::kRowTile) {
    const std::size_t count = std::min(linalg::kRowTile, rows.rows() - first);
    for (const double value : output(rows.view().rows(first, count))) g.push_back(value);
  }
  return g;
}

Ways make_ways(const WayPlan& plan, const std::vector<std::size_t>& chosen,
               const ContrastWays::Output& output) {
  Ways ways{};
  std::map<std::size_t, std::size_t> places;
  std::vector<std::size_t> unique;
  const std::vector<double> fractions = spread_fractions(plan.candidates, chosen, plan.seed);
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    const auto [place, is_new] = places.emplace(chosen[s], unique.size());
    if (is_new) unique.push_back(chosen[s]);
    ways.steps.push_back({place->second, fractions[s]});
  }
  ways.references = gather_rows(plan.candidates, unique);
  if (plan.input_candidates.rows() > 0)
    ways.input_references = gather_rows(plan.input_candidates, unique);
  const std::vector<double> g = outputs_of(ways.references, output);
  double finite = 0.0;
  for (const linalg::LineStep& step : ways.steps) {
    if (!std::isfinite(g[step.start])) continue;
    ways.base += g[step.start];
    ++finite;
  }
  if (finite > 0.0) ways.base /= finite;
  return ways;
}

}  // namespace

ContrastWays::ContrastWays(const WayPlan& plan, const Output& output) {
  const auto choose = [&](const std::vector<std::size_t>& list, std::size_t count) {
    return balanced(plan.candidates, list, count);
  };
  std::vector<std::size_t> all(plan.candidates.rows()), above, below;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (plan.side != ReferenceSide::all) {
    const std::vector<double> g = outputs_of(plan.candidates, output);
    for (const std::size_t n : all) (g[n] > 0.0 ? above : below).push_back(n);
  }
  // Where a side has no candidate, all of them stand for it.
  if (plan.side == ReferenceSide::all || above.empty() || below.empty()) {
    above_ = make_ways(plan, choose(all, plan.steps), output);
  } else if (plan.side == ReferenceSide::both) {
    std::vector<std::size_t> chosen = choose(above, (plan.steps + 1) / 2);
    const std::vector<std::size_t> others = choose(below, plan.steps / 2);
    chosen.insert(chosen.end(), others.begin(), others.end());
    above_ = make_ways(plan, chosen, output);
  } else {
    above_ = make_ways(plan, choose(below, plan.steps), output);
    below_ = make_ways(plan, choose(above, plan.steps), output);
  }
}

}  // namespace bisector::detail
