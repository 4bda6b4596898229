// Votes of neighbors and detectors by sorting all points, as METHOD 9 has them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bisector/neighbor_model.h"
#include "bisector/outlier_detector.h"
#include "reference/plain_distances.h"

namespace bisector::reference {

/// All points by the sum of their distance from x, equals by index.
inline std::vector<std::pair<double, std::size_t>> by_distance(const Matrix& points,
                                                               const Distance& distance,
                                                               std::span<const double> x) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < points.rows(); ++n)
    order.emplace_back(distance_sum(distance, x, points.row(n)), n);
  std::sort(order.begin(), order.end());
  return order;
}

inline double length(const Distance& distance, double s) {
  return std::pow(s, 1.0 / distance.power());
}

/// The logarithm of what a vote counts at the distance d.
inline double log_weight_at(const NeighborVote& vote, double d) {
  const auto& [offset, power, rate] = vote.decay;
  switch (vote.weights) {
    case NeighborVote::Weights::distance:
      return -std::log(d);
    case NeighborVote::Weights::inverse:
      return -rate * std::log(offset + std::pow(d, power));
    case NeighborVote::Weights::exponential:
      return -rate * std::pow(d, power);
    default:
      return 0.0;
  }
}

/// Who votes, and with which weight relative to the nearest's, since all may vanish; all others
/// have the weight that they would vote with: by a decay the mean of the votes, by ranks that of
/// the last.
struct PlainVote {
  std::vector<std::pair<double, std::size_t>> order;
  Vector weights;     // in this order
  std::size_t count;  // of points in the neighborhood, which come first
  double total = 0.0;
};

inline PlainVote plain_vote(const Matrix& points, std::size_t k, const NeighborVote& vote,
                            std::span<const double> x) {
  PlainVote result{by_distance(points, vote.distance, x), {}, k};
  if (vote.radius) {
    result.count = 0;
    for (const auto& [s, n] : result.order)
      if (length(vote.distance, s) <= *vote.radius) ++result.count;
  }
  const auto log_weight = [&](std::size_t n) {
    return log_weight_at(vote, length(vote.distance, result.order[n].first));
  };
  const bool has_exact = result.count > 0 && std::isinf(log_weight(0));
  std::size_t exact = 0;
  while (exact < result.count && std::isinf(log_weight(exact))) ++exact;
  if (has_exact) result.count = exact;
  for (std::size_t n = 0; n < result.order.size(); ++n) {
    const double own = !vote.rank_weights.empty()   ? vote.rank_weights[std::min(n, k - 1)]
                       : vote.point_weights.empty() ? 1.0
                                                    : vote.point_weights[result.order[n].second];
    result.weights.push_back(has_exact ? own : own * std::exp(log_weight(n) - log_weight(0)));
    if (n < result.count) result.total += result.weights[n];
  }
  for (std::size_t n = result.count; vote.has_decay() && n < result.order.size(); ++n)
    result.weights[n] = result.total / static_cast<double>(result.count);
  return result;
}

/// Distances that are equal but for `rounding`, where who stands first matters: not all of them
/// vote, or their ranks have different weights.
inline bool is_by_order(const PlainVote& vote, const NeighborVote& of, double rounding) {
  const std::size_t most = std::min(vote.count, vote.order.size() - 1);
  for (std::size_t n = 1; n <= most; ++n) {
    const double inside = vote.order[n - 1].first, outside = vote.order[n].first;
    const bool differ = n == vote.count ||
                        (!of.rank_weights.empty() && of.rank_weights[n - 1] != of.rank_weights[n]);
    if (differ && outside - inside <= rounding * outside) return true;
  }
  return false;
}

/// The votes of each class.
inline Vector class_votes(const NeighborModel& model, std::span<const double> x) {
  const PlainVote vote = plain_vote(model.points(), model.k(), model.vote(), x);
  Vector votes(model.labels().size(), 0.0);
  for (std::size_t n = 0; n < vote.count; ++n)
    votes[model.classes()[vote.order[n].second]] += vote.weights[n];
  return votes;
}

inline double mean_target(const NeighborRegressor& model, std::span<const double> x) {
  const PlainVote vote = plain_vote(model.points(), model.k(), model.vote(), x);
  double sum = 0.0;
  for (std::size_t n = 0; n < vote.count; ++n)
    sum += vote.weights[n] * model.targets()[vote.order[n].second];
  return sum / vote.total;
}

/// The distance at which the cumulative weight of the points with a positive (sign 1) or a negative
/// weight reaches half, or another share, of what both have in the neighborhood.
inline double pooled_distance(const PlainVote& vote, const Vector& signed_weights, double sign,
                              double share = 0.5) {
  double within = 0.0, sum = 0.0;
  for (std::size_t n = 0; n < vote.count; ++n)
    within += vote.weights[n] * std::abs(signed_weights[vote.order[n].second]);
  for (std::size_t n = 0; n < vote.order.size(); ++n) {
    const double weight = sign * signed_weights[vote.order[n].second];
    if (!(weight > 0.0)) continue;
    sum += vote.weights[n] * weight;
    if (sum >= share * within) return vote.order[n].first;
  }
  return std::numeric_limits<double>::infinity();
}

inline double vote_output(const PlainVote& vote, const Vector& signed_weights) {
  return pooled_distance(vote, signed_weights, -1.0) - pooled_distance(vote, signed_weights, 1.0);
}

/// The score of a detector; of the local outlier factor as Breunig et al. have it.
inline double outlier_score(const OutlierDetector& detector, std::span<const double> x) {
  const Matrix& points = detector.points();
  const auto& distance = detector.distance();
  const std::size_t k = detector.k();
  const auto nearest = by_distance(points, distance, x);
  using Score = OutlierDetector::Score;
  if (detector.score() == Score::kth_distance) return length(distance, nearest[k - 1].first);
  double sum = 0.0;
  if (detector.score() == Score::mean_distance) {
    for (std::size_t n = 0; n < k; ++n) sum += length(distance, nearest[n].first);
    return sum / static_cast<double>(k);
  }
  const auto others = [&](std::size_t point) {
    auto order = by_distance(points, distance, points.row(point));
    std::erase_if(order, [&](const auto& entry) { return entry.second == point; });
    order.resize(k);
    return order;
  };
  const auto reach = [&](std::size_t point) {
    return length(distance, others(point).back().first);
  };
  const auto density = [&](const auto& of) {
    double mean = 0.0;
    for (std::size_t n = 0; n < k; ++n)
      mean += std::max(length(distance, of[n].first), reach(of[n].second)) / static_cast<double>(k);
    return 1.0 / (mean + 1e-10);
  };
  for (std::size_t n = 0; n < k; ++n) sum += density(others(nearest[n].second));
  return sum / static_cast<double>(k) / density(nearest);
}

}  // namespace bisector::reference
