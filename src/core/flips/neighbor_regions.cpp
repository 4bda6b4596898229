#include "core/flips/neighbor_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "core/linalg/neighbor.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// Indices in the order of their distances; equal distances go to the lower index.
std::vector<std::size_t> nearest_indices(std::span<const double> distances, std::size_t count) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  const auto is_nearer = [&](std::size_t a, std::size_t b) {
    return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    is_nearer);
  order.resize(count);
  return order;
}

/// |row - far|^2 - |row - near|^2, with an error that is relative to the distance of the points.
double difference_of_squares(std::span<const double> row, std::span<const double> near,
                             std::span<const double> far) {
  double sum = 0.0;
  for (std::size_t d = 0; d < row.size(); ++d)
    sum += (far[d] - near[d]) * ((far[d] - row[d]) + (near[d] - row[d]));
  return sum;
}

}  // namespace

bool add_bisector(std::span<const double> base, std::span<const double> near,
                  std::span<const double> far, std::span<const std::size_t> free,
                  HalfSpaces& spaces) {
  std::vector<double> normal(free.size());
  for (std::size_t i = 0; i < free.size(); ++i) normal[i] = 2.0 * (far[free[i]] - near[free[i]]);
  return spaces.add(normal, difference_of_squares(base, near, far));
}

std::optional<NeighborRegions> NeighborRegions::of(const Model& model) {
  if (!model.point_classes() || model.vote()->radius || !model.distance().is_euclidean())
    return std::nullopt;
  return NeighborRegions(model);
}

bool NeighborRegions::has_majority() const {
  return model_.labels().size() == 2 && model_.vote()->is_plain();
}

std::size_t NeighborRegions::votes_needed(std::size_t own) const {
  const std::size_t k = model_.neighbors();
  return own == 0 ? k / 2 + 1 : (k + 1) / 2;
}

std::vector<double> NeighborRegions::distances(std::span<const double> row) const {
  std::vector<double> result(model_.points().rows());
  for (std::size_t n = 0; n < result.size(); ++n)
    result[n] = linalg::squared_distance(row, model_.points().row(n));
  return result;
}

std::vector<std::size_t> NeighborRegions::nearest_others(std::span<const double> row,
                                                         std::size_t own,
                                                         std::optional<std::size_t> wanted,
                                                         std::size_t count) const {
  std::vector<double> apart = distances(row);
  std::size_t others = 0;
  for (std::size_t n = 0; n < apart.size(); ++n) {
    const std::size_t label = classes()[n];
    const bool is_other = wanted ? label == *wanted : label != own;
    others += is_other;
    if (!is_other) apart[n] = std::numeric_limits<double>::infinity();
  }
  return nearest_indices(apart, std::min(count, others));
}

/// Best-first search over sets of points. In a flipped row, at least m of the k nearest points are
/// "in": of the other class; at most k - m are of the row's own class, so all others are "out". A
/// node requires some points in and some out, which bounds it by the bisectors of all such pairs.
/// The smallest bound of an open node is a radius at any time.
class NeighborRegions::Bound {
 public:
  Bound(const NeighborRegions& regions, std::span<const double> row, std::size_t own, double work)
      : regions_(regions), row_(row), own_(own), left_(work) {
    needed_ = regions.votes_needed(own);
    kept_ = regions.model().neighbors() - needed_ + 1;
    all_.resize(row.size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    spend_pass();
  }

  double run() {
    nodes_.push_back({});
    push(0.0, 0);
    while (!open_.empty() && left_ > 0.0) {
      const auto [bound, number] = open_.top();
      if (number == kRest) return bound;
      open_.pop();
      if (!expand(bound, number)) return bound;
    }
    return open_.empty() ? 0.0 : open_.top().first;
  }

 private:
  struct Node {
    std::vector<std::size_t> in, out;
    bool is_solved = false;
    std::vector<double> point = {};
  };
  static constexpr std::size_t kRest = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kMostChildren = 64;

  void push(double bound, std::size_t number) { open_.emplace(bound, number); }
  void spend_pass() { left_ -= static_cast<double>(regions_.model().points().values().size()); }
  std::span<const double> point(std::size_t n) const { return regions_.model().points().row(n); }

  /// Solves a node, or branches if it is solved. False: its point is on the other side, so that no
  /// flip is nearer.
  bool expand(double bound, std::size_t number) {
    if (!nodes_[number].is_solved) {
      push(std::max(bound, solve(nodes_[number])), number);
      return true;
    }
    const Node node = std::move(nodes_[number]);
    return branch(bound, node);
  }

  double solve(Node& node) {
    HalfSpaces spaces(row_.size());
    for (const std::size_t in : node.in)
      for (const std::size_t out : node.out)
        add_bisector(row_, point(in), point(out), all_, spaces);
    spaces.solve();
    left_ -= spaces.work();
    node.is_solved = true;
    node.point.assign(row_.begin(), row_.end());
    for (std::size_t d = 0; d < row_.size(); ++d) node.point[d] += spaces.solution()[d];
    return spaces.least_length();
  }

  bool branch(double bound, const Node& node) {
    const auto& classes = regions_.classes();
    const std::vector<double> apart = regions_.distances(node.point);
    spend_pass();
    // Points "in" are taken first among equal distances: the solution is on their bisectors.
    std::vector<double> ranked = apart;
    for (const std::size_t n : node.in) ranked[n] *= 1.0 - 1e-7;
    std::vector<std::size_t> candidates;
    std::size_t required = 0;
    for (const std::size_t n : nearest_indices(ranked, regions_.model().neighbors())) {
      if (classes[n] != own_) continue;
      const bool is_out = std::ranges::find(node.out, n) != node.out.end();
      if (is_out)
        ++required;
      else
        candidates.push_back(n);
    }
    if (candidates.size() + required < kept_) return false;
    if (candidates.size() < kept_ && node.in.size() >= needed_) return false;  // up to rounding
    if (candidates.size() >= kept_) {
      for (std::size_t i = 0; i < kept_; ++i) {
        Node child{node.in, node.out};
        child.out.push_back(candidates[i]);
        add(bound, std::move(child));
      }
      return true;
    }
    branch_on_others(bound, node);
    return true;
  }

  /// One more point of the other class is in.
  void branch_on_others(double bound, const Node& node) {
    const auto& classes = regions_.classes();
    std::vector<std::pair<double, std::size_t>> children;
    for (std::size_t n = 0; n < classes.size(); ++n) {
      if (classes[n] == own_ || std::ranges::find(node.in, n) != node.in.end()) continue;
      double least = bound;
      for (const std::size_t out : node.out) {
        const double apart = std::sqrt(linalg::squared_distance(point(n), point(out)));
        if (apart > 0.0)
          least =
              std::max(least, -difference_of_squares(row_, point(n), point(out)) / (2.0 * apart));
      }
      children.emplace_back(least, n);
    }
    left_ -= static_cast<double>(children.size() * node.out.size() * row_.size());
    std::ranges::sort(children, std::less<>());
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == kMostChildren) {
        push(children[i].first, kRest);
        break;
      }
      Node child{node.in, node.out};
      child.in.push_back(children[i].second);
      add(children[i].first, std::move(child));
    }
  }

  void add(double bound, Node child) {
    nodes_.push_back(std::move(child));
    push(bound, nodes_.size() - 1);
  }

  const NeighborRegions& regions_;
  std::span<const double> row_;
  std::size_t own_, needed_ = 0, kept_ = 0;
  double left_;
  std::vector<std::size_t> all_;
  std::vector<Node> nodes_;
  std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>,
                      std::greater<>>
      open_;
};

double NeighborRegions::radius(std::span<const double> row, std::size_t own, double work) const {
  if (!has_majority()) return 0.0;
  // The error of squared distances in a bound.
  constexpr double kSafety = 1.0 - 1e-9;
  return kSafety * Bound(*this, row, own, work).run();
}

}  // namespace bisector::detail
