// Votes of any weight, regressors, detectors and densities of any distance against sorting all
// points and plain sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "property.h"
#include "reference/nested_kernels.h"
#include "reference/plain_votes.h"
#include "tame_models.h"

namespace bisector::fuzz {

/// Euclidean, Manhattan, Minkowski, Hamming, Gower; cosine where it is wanted, too.
inline Distance any_distance(Recipe& recipe, std::size_t features, bool with_cosine = true) {
  switch (recipe.below(with_cosine ? 6 : 5)) {
    case 0:
      return Distance::manhattan();
    case 1:
      return Distance(recipe.flag() ? 7.3 : 3.0);
    case 2:
      return Distance::hamming(features);
    case 3: {
      std::vector<double> categories(features, 0.0);
      for (double& weight : categories) weight = recipe.flag() ? 1.0 : 0.0;
      return Distance(1.0, std::move(categories));
    }
    case 4:
      return with_cosine ? Distance::cosine() : Distance();
    default:
      return {};
  }
}

/// A row of zeros has no direction.
inline Matrix with_directions(Matrix matrix, const Distance& distance) {
  for (std::size_t r = 0; distance.is_cosine() && r < matrix.rows(); ++r) matrix(r, 0) += 0.0625;
  return matrix;
}

struct TameVoting {
  Matrix points, rows;
  std::size_t k;
  NeighborVote vote;
};

/// Uniform, by distance, by a decay or by ranks.
inline NeighborVote with_weights(Recipe& recipe, NeighborVote vote, std::size_t k) {
  const auto eighths = [&] { return 0.125 + static_cast<double>(recipe.below(32)) / 8.0; };
  const std::size_t kind = recipe.below(5);
  if (kind < 4) vote.weights = static_cast<NeighborVote::Weights>(kind);
  if (vote.weights == NeighborVote::Weights::inverse && recipe.flag())
    vote.decay.offset = eighths();
  if (vote.has_decay()) vote.decay.power = eighths();
  if (vote.has_decay()) vote.decay.rate = eighths();
  for (std::size_t r = 0; kind == 4 && r < k; ++r) vote.rank_weights.push_back(eighths());
  return vote;
}

inline TameVoting tame_voting(Recipe& recipe, const TameNeighbors& m) {
  TameVoting voting{{}, {}, m.k, {}};
  voting.vote.distance = any_distance(recipe, m.points.cols());
  voting.points = with_directions(m.points, voting.vote.distance);
  voting.rows = with_directions(m.rows, voting.vote.distance);
  voting.vote = with_weights(recipe, std::move(voting.vote), m.k);
  if (!voting.vote.rank_weights.empty()) return voting;
  if (recipe.flag()) {
    voting.vote.radius = (1.0 + static_cast<double>(recipe.byte())) / 16.0;
    voting.k = 1;
  }
  if (recipe.flag()) {
    for (std::size_t n = 0; n < m.points.rows(); ++n)
      voting.vote.point_weights.push_back(0.125 + static_cast<double>(recipe.below(64)) / 8.0);
  }
  return voting;
}

constexpr double kPlainRounding = 1e-9;

/// Distances that are equal but for rounding, of which not all vote, or one on the radius.
inline bool is_close_call(const reference::PlainVote& vote, const NeighborVote& of) {
  const auto are_close = [](double a, double b) {
    return std::abs(a - b) <= kPlainRounding * std::max(a, b);
  };
  for (const auto& [sum, point] : vote.order) {
    if (of.radius && are_close(sum, of.distance.sum(*of.radius))) return true;
    // Where x stands at a point but for rounding, a vote by distance has no digits.
    if (of.distance.is_cosine() && sum < kPlainRounding) return true;
  }
  return vote.count > 0 && reference::is_by_order(vote, of, kPlainRounding);
}

/// One row, or why it cannot be explained; `level` is a regressor's.
inline std::optional<Explanation> explained_row(const Model& model, std::span<const double> x,
                                                std::optional<double> level = std::nullopt) {
  ExplainOptions options;
  options.unit = Unit::g;
  options.threads = 1;
  options.level = level;
  return attempt([&] { return explain(model, {x.data(), 1, x.size()}, EtaRule{1.0}, options); });
}

/// g is that of sorting. Where a sum of weights is half of all but for rounding, the next point's
/// distance may be a pool's as well.
inline void require_output(double g, const reference::PlainVote& vote,
                           const reference::Vector& point_values) {
  bool is_same = false;
  for (const double n : {0.5 - kPlainRounding, 0.5 + kPlainRounding}) {
    for (const double p : {0.5 - kPlainRounding, 0.5 + kPlainRounding}) {
      const double slow = reference::pooled_distance(vote, point_values, -1.0, n) -
                          reference::pooled_distance(vote, point_values, 1.0, p);
      is_same =
          is_same || g == slow || std::abs(g - slow) <= kPlainRounding * (1.0 + std::abs(slow));
    }
  }
  require(is_same, "g is that of sorting, not " + std::to_string(g));
}

/// Many classes: the votes of the two that are contrasted, and g.
inline void check_class_votes(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 40, 6);
  const TameVoting voting = tame_voting(recipe, m);
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < m.class_count; ++c) labels.push_back(std::to_string(c));
  const NeighborModel model(voting.points, m.classes, labels, voting.k, voting.vote);
  for (std::size_t r = 0; r < voting.rows.rows(); ++r) {
    const auto x = voting.rows.row(r);
    const auto vote = reference::plain_vote(voting.points, voting.k, voting.vote, x);
    const auto fast = explained_row(Model(model), x);
    if (is_close_call(vote, voting.vote)) continue;
    require(fast.has_value(), "neighbors explain every row");
    require(fast->without_neighbors[0] == (vote.count == 0),
            "a row without a neighbor is flagged, no other");
    if (vote.count == 0) continue;
    const auto votes = reference::class_votes(model, x);
    // Plain votes are counted; weighted ones are shares of all.
    const double unit =
        model.vote().is_plain() ? vote.total / static_cast<double>(vote.count) : vote.total;
    const std::size_t p = fast->positive[0], n = fast->negative[0];
    require(std::abs(fast->decision[0] - (votes[p] - votes[n]) / unit) <= kPlainRounding * 100.0,
            "the votes are those of sorting");
    const double rounding = kPlainRounding * vote.total;
    require(votes[fast->prediction[0]] >= *std::ranges::max_element(votes) - rounding,
            "the winner is that of sorting");
    if (std::abs(votes[p] - votes[n]) <= rounding) continue;
    reference::Vector point_values(model.points().rows(), 0.0);
    for (std::size_t i = 0; i < point_values.size(); ++i)
      point_values[i] = m.classes[i] == p ? 1.0 : m.classes[i] == n ? -1.0 : 0.0;
    require_output(fast->g[0], vote, point_values);
  }
}

/// Means of targets at a level.
inline void check_mean_targets(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 40, 6);
  const TameVoting voting = tame_voting(recipe, m);
  std::vector<double> targets;
  for (const std::size_t c : m.classes) targets.push_back(static_cast<double>(c));
  const NeighborRegressor model(voting.points, targets, voting.k, voting.vote);
  const double level = 0.3;
  for (std::size_t r = 0; r < voting.rows.rows(); ++r) {
    const auto x = voting.rows.row(r);
    const auto vote = reference::plain_vote(voting.points, voting.k, voting.vote, x);
    const auto fast = explained_row(Model(model), x, level);
    if (vote.count == 0 || is_close_call(vote, voting.vote) || !fast) continue;
    const double mean = reference::mean_target(model, x);
    require(std::abs(fast->value[0] - mean) <= kPlainRounding * 10.0,
            "the mean is that of sorting");
    if (std::abs(mean - level) <= kPlainRounding) continue;
    reference::Vector point_values;
    for (const double target : targets) point_values.push_back(target - level);
    require_output(fast->g[0], vote, point_values);
  }
}

/// Distance to the k-th neighbor, mean distance and local outlier factor, whichever the bytes say.
inline void check_detector(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 24, 6);
  const auto score = static_cast<OutlierDetector::Score>(recipe.below(3));
  const bool is_factor = score == OutlierDetector::Score::local_outlier_factor;
  Distance distance = any_distance(recipe, m.points.cols());
  // Which of points at equal distances are neighbors decides a factor: only exact sums tell.
  if (is_factor && distance.is_cosine()) distance = Distance();
  const double threshold = is_factor ? 1.125 : (1.0 + static_cast<double>(recipe.byte())) / 16.0;
  const std::size_t k = is_factor ? std::min(m.k, m.points.rows() - 1) : m.k;
  const OutlierDetector detector(with_directions(m.points, distance), k, score, threshold,
                                 distance);
  const Matrix rows = with_directions(m.rows, distance);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double slow = reference::outlier_score(detector, rows.row(r));
    const auto fast = explained_row(Model(detector), rows.row(r));
    // The cosine distance of a point to itself is its rounding, of which a root is no distance.
    const double bound = (distance.is_cosine() ? 1e-7 : kPlainRounding) * (threshold + slow);
    require(fast.has_value(), "a detector explains every row");
    require(std::abs(fast->decision[0] - (threshold - slow)) <= bound,
            "the score is that of sorting");
    require(std::abs(threshold - slow) <= bound || (fast->g[0] > 0.0) == (slow < threshold),
            "g has the detector's sign");
  }
}

/// A kernel density against a level, and the parts of the distances as its relevance; sums of two
/// kernels too.
inline void check_density(Recipe& recipe) {
  const auto form = [&] { return static_cast<KernelForm>(recipe.below(5)); };
  const TameMachine m = tame_machine(recipe, 12, 5);
  const Distance distance = any_distance(recipe, m.points.cols());
  std::vector<KernelTerm> terms{{form(), m.gamma, 1.5}};
  if (recipe.flag()) {
    terms[0].weight = 0.75;
    terms.push_back({form(), 2.0 * m.gamma, 0.5, 0.25});
  }
  const KernelMachine machine(
      with_directions(m.points, distance), std::vector<double>(m.points.rows(), 1.0),
      Kernel(terms, distance),
      -static_cast<double>(m.points.rows()) * (1.0 + static_cast<double>(recipe.byte())) / 512.0);
  const Matrix rows = with_directions(m.rows, distance);
  const double bound = kPlainRounding * reference::total_weight(machine);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto x = rows.row(r);
    const double f = reference::kernel_decision(machine, x);
    const auto fast = explained_row(Model(OneClassMachine{machine}), x);
    require(fast && std::abs(fast->decision[0] - f) <= bound, "the density is the plain sum");
    require(std::abs(f) <= bound || (fast->g[0] > 0.0) == (f > 0.0), "g has the density's sign");
  }
}

}  // namespace bisector::fuzz
