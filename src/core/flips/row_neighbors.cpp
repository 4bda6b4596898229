#include "core/flips/row_neighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/flips/half_spaces.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

using linalg::Neighbor;

/// Passes over the points per polyhedron; each adds the bisectors of some points.
constexpr std::size_t kMostPasses = 60, kRivals = 4;
constexpr std::size_t kMostPolyhedra = 12;
constexpr double kSmallGain = 1e-4;  // smaller relative gains end an approach

/// The nearest points of one kind, at most `most`.
class Nearest {
 public:
  explicit Nearest(std::size_t most) : most_(most) { points_.reserve(most + 1); }

  void add(const Neighbor& point) {
    if (most_ == 0 || (points_.size() == most_ && !(point < points_.back()))) return;
    points_.insert(std::upper_bound(points_.begin(), points_.end(), point), point);
    if (points_.size() > most_) points_.pop_back();
  }

  /// The farthest of them; empty as long as there are fewer than `most`.
  std::optional<Neighbor> last() const {
    return points_.size() == most_ && most_ > 0 ? std::optional(points_.back()) : std::nullopt;
  }
  /// True if points beyond this distance do not count.
  bool ends_within(double distance) const {
    return most_ == 0 ||
           (points_.size() == most_ && points_.back().squared_distance < distance * distance);
  }
  std::span<const Neighbor> points() const { return points_; }
  std::vector<std::size_t> indices() const {
    std::vector<std::size_t> result;
    for (const Neighbor& point : points_) result.push_back(point.index);
    return result;
  }

 private:
  std::size_t most_;
  std::vector<Neighbor> points_;
};

/// True if the last voter of the other class is nearer than the point that it has to outvote.
bool wins(const Nearest& others, const Nearest& owns) {
  if (!others.last()) return false;
  return !owns.last() || *others.last() < *owns.last();
}

}  // namespace

RowNeighbors::RowNeighbors(const NeighborRegions& regions, std::span<const double> x)
    : regions_(regions), x_(x.begin(), x.end()) {
  const Matrix& points = regions_.model().points();
  order_.reserve(points.rows());
  for (std::size_t n = 0; n < points.rows(); ++n)
    order_.push_back({std::sqrt(linalg::squared_distance(x_, points.row(n))), n});
  std::ranges::sort(order_, std::less<>());
  for (const Neighbor& point : order_) squares_.push_back(std::pow(point.squared_distance, 2));
}

double RowNeighbors::slope(std::span<const double> direction, std::span<const double> point) const {
  // Two sums at a time let the processor add in parallel.
  double even = 0.0, odd = 0.0;
  std::size_t d = 0;
  for (; d + 1 < x_.size(); d += 2) {
    even += direction[d] * (point[d] - x_[d]);
    odd += direction[d + 1] * (point[d + 1] - x_[d + 1]);
  }
  if (d < x_.size()) even += direction[d] * (point[d] - x_[d]);
  return even + odd;
}

double RowNeighbors::distance(std::span<const double> y) const {
  // Points at the end of a distance that is rounded down would be missed.
  return std::sqrt(linalg::squared_distance(x_, y)) * (1.0 + 1e-12);
}

RowNeighbors::Votes RowNeighbors::votes_at(std::span<const double> y, std::size_t own) const {
  const NeighborModel& model = regions_.model();
  const double moved = distance(y);
  const std::size_t needed = regions_.votes_needed(own);
  Nearest others(needed), owns(model.k() - needed + 1);
  for (const Neighbor& point : order_) {
    const double least = point.squared_distance - moved;
    if (least > 0.0 && others.ends_within(least) && owns.ends_within(least)) break;
    const Neighbor at{linalg::squared_distance(y, model.points().row(point.index)), point.index};
    (model.classes()[point.index] == own ? owns : others).add(at);
  }
  Votes result{others.indices(), owns.indices(), wins(others, owns)};
  if (owns.last()) result.free.pop_back();
  return result;
}

double RowNeighbors::crossing(std::span<const double> to, std::size_t own, int steps) const {
  const NeighborModel& model = regions_.model();
  // Between x and `to`, squared distances are linear in the fraction, except for a common part.
  std::vector<double> direction(x_.size());
  for (std::size_t d = 0; d < x_.size(); ++d) direction[d] = to[d] - x_[d];
  std::vector<double> slopes;
  slopes.reserve(order_.size());
  for (const Neighbor& point : order_)
    slopes.push_back(-2.0 * slope(direction, model.points().row(point.index)));
  const std::size_t needed = regions_.votes_needed(own);
  double low = 0.0, high = 1.0;
  for (int step = 0; step < steps; ++step) {
    const double middle = 0.5 * (low + high);
    Nearest others(needed), owns(model.k() - needed + 1);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Neighbor at{squares_[i] + middle * slopes[i], order_[i].index};
      (model.classes()[at.index] == own ? owns : others).add(at);
    }
    (wins(others, owns) ? high : low) = middle;
  }
  return high;
}

std::vector<std::size_t> RowNeighbors::rivals(const Votes& votes, std::span<const double> base,
                                              std::span<const double> inside,
                                              std::size_t own) const {
  const NeighborModel& model = regions_.model();
  double farthest = 0.0;
  for (const std::size_t n : votes.voters)
    farthest = std::max(farthest, linalg::squared_distance(base, model.points().row(n)));
  const double reach = std::sqrt(farthest) + distance(base) +
                       2.0 * std::sqrt(linalg::squared_distance(base, inside));
  std::vector<std::size_t> result;
  for (const Neighbor& point : order_) {
    if (point.squared_distance > reach) break;
    if (model.classes()[point.index] == own &&
        std::ranges::find(votes.free, point.index) == votes.free.end())
      result.push_back(point.index);
  }
  return result;
}

std::vector<double> RowNeighbors::nearest_in_polyhedron(const Votes& votes,
                                                        std::span<const double> inside,
                                                        std::size_t own, const Box& box) const {
  const Matrix& points = regions_.model().points();
  std::vector<double> base(inside.begin(), inside.end());
  for (const std::size_t d : box.features) base[d] = x_[d];
  const std::vector<std::size_t> rivals = this->rivals(votes, base, inside, own);
  HalfSpaces spaces(box.lowest, box.highest);
  std::vector<double> y(base);
  for (std::size_t pass = 0; pass < kMostPasses; ++pass) {
    Nearest nearest(kRivals);
    for (const std::size_t n : rivals) nearest.add({linalg::squared_distance(y, points.row(n)), n});
    bool is_inside = true;
    for (const std::size_t voter : votes.voters) {
      const double apart = linalg::squared_distance(y, points.row(voter));
      for (const Neighbor& rival : nearest.points()) {
        if (apart <= rival.squared_distance * (1.0 + 1e-9)) break;
        add_bisector(base, points.row(voter), points.row(rival.index), box.features, spaces);
        is_inside = false;
      }
    }
    if (is_inside || !spaces.solve()) break;
    for (std::size_t i = 0; i < box.features.size(); ++i)
      y[box.features[i]] = base[box.features[i]] + spaces.solution()[i];
  }
  return y;
}

std::vector<double> RowNeighbors::approach(std::vector<double> row, std::size_t own,
                                           const Box& box) const {
  Votes votes = votes_at(row, own);
  for (std::size_t step = 0; step < kMostPolyhedra && votes.flips; ++step) {
    const std::vector<double> nearest = nearest_in_polyhedron(votes, row, own, box);
    // Rounding may put the nearest point on the other side of the polyhedron's faces.
    std::vector<double> next(row.size());
    bool is_found = false;
    for (const double fraction : {1e-9, 1e-6, 1e-3}) {
      for (std::size_t d = 0; d < row.size(); ++d)
        next[d] = nearest[d] + fraction * (row[d] - nearest[d]);
      Votes there = votes_at(next, own);
      if (!there.flips) continue;
      votes = std::move(there);
      is_found = true;
      break;
    }
    if (!is_found) break;
    const double before = distance(row), after = distance(next);
    if (!(after < before)) break;
    row = std::move(next);
    if (after > before * (1.0 - kSmallGain)) break;
  }
  return row;
}

}  // namespace bisector::detail
