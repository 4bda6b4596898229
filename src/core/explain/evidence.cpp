#include "core/explain/evidence.h"

#include <algorithm>
#include <numeric>

namespace bisector::detail {
namespace {

/// Positions of the `count` largest weights, largest first; the lower position first among equals.
std::vector<std::size_t> heaviest(std::span<const double> weights, std::size_t count) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

/// A member's values around the row itself.
std::vector<double> member_values(const PointValues& of, const SharedMatrix& points,
                                  std::span<const double> row, PoolMember member) {
  std::vector<double> buffer;
  const auto point = member ? points.row(*member, buffer) : row;
  std::vector<double> centered(point.begin(), point.end()), values(of.columns());
  for (std::size_t d = 0; d < centered.size(); ++d) centered[d] -= row[d];
  of.compute(centered, row, values);
  return values;
}

}  // namespace

std::vector<Evidence> strongest_pairs(const PoolsAtRow& pools, const RelevanceRule& rule,
                                      const SharedMatrix& points, std::span<const double> input_row,
                                      std::span<const double> row, std::size_t count) {
  // The heaviest pairs consist of the heaviest points of each pool.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::vector<std::size_t> heaviest_negative = heaviest(pools.negative.weights, count);
  for (const std::size_t i : heaviest(pools.positive.weights, count)) {
    for (const std::size_t j : heaviest_negative) pairs.emplace_back(i, j);
  }
  const auto weight = [&](const auto& pair) {
    return pools.positive.weights[pair.first] * pools.negative.weights[pair.second];
  };
  std::erase_if(pairs, [&](const auto& pair) { return weight(pair) <= 0.0; });
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
  pairs.resize(std::min(pairs.size(), count));

  const std::vector<double> at_center(row.size(), 0.0);
  std::vector<Evidence> evidence;
  for (const auto& pair : pairs) {
    Evidence e{pools.positive.members[pair.first], pools.negative.members[pair.second],
               weight(pair), pools.detection(pair.first, pair.second),
               std::vector<double>(input_row.size())};
    // Two pools of one point each: the rule gives the pair's own relevance.
    rule.relevance({input_row, at_center, row},
                   member_values(*rule.values(), points, row, e.positive),
                   member_values(*rule.values(), points, row, e.negative), {}, e.relevance);
    for (double& value : e.relevance) value *= e.weight;
    evidence.push_back(std::move(e));
  }
  return evidence;
}

DecidingPoints heaviest_points(const PoolsAtRow& pools, std::size_t count) {
  const auto members = [&](const PoolAtRow& pool) {
    std::vector<WeightedMember> result;
    for (const std::size_t i : heaviest(pool.weights, count)) {
      if (pool.weights[i] > 0.0) result.push_back({pool.members[i], pool.weights[i]});
    }
    return result;
  };
  return {members(pools.positive), members(pools.negative)};
}

}  // namespace bisector::detail
