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
using linalg::OrderedPoints;

/// Passes over the points per polyhedron; each adds the bisectors of some points.
constexpr std::size_t kMostPasses = 60, kRivals = 4;
constexpr std::size_t kMostPolyhedra = 12;
constexpr double kTie = 1e-7;        // distances are equal if they differ by less, relatively
constexpr double kSmallGain = 1e-4;  // smaller relative gains end an approach
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The nearest points of one kind, at most `most`. Distances may be relative to a common one.
class Nearest {
 public:
  struct Entry {
    Neighbor point;
    std::size_t position;
  };
  /// Points that are farther than the limit do not count.
  explicit Nearest(std::size_t most, double limit = kNever)
      : most_(most), limit_(most > 0 ? limit : -kNever) {
    points_.reserve(most + 1);
  }

  void insert(double square, std::size_t index, std::size_t position) {
    const Entry entry{{square, index}, position};
    if (points_.size() == most_ && !(entry.point < points_.back().point)) return;
    auto place = points_.end();
    while (place != points_.begin() && entry.point < (place - 1)->point) --place;
    points_.insert(place, entry);
    if (points_.size() > most_) points_.pop_back();
    if (points_.size() == most_) limit_ = points_.back().point.squared_distance;
  }

  /// The farthest of them; empty as long as there are fewer than `most`.
  std::optional<Neighbor> last() const {
    return points_.size() == most_ && most_ > 0 ? std::optional(points_.back().point)
                                                : std::nullopt;
  }
  /// Farther points do not count.
  double limit() const { return limit_; }
  const std::vector<Entry>& entries() const { return points_; }
  std::vector<std::size_t> positions() const {
    std::vector<std::size_t> result;
    for (const Entry& entry : points_) result.push_back(entry.position);
    return result;
  }

 private:
  std::size_t most_;
  double limit_;
  std::vector<Entry> points_;
};

/// True if the last voter of the other class is nearer than the point that it has to outvote.
bool wins(const Nearest& others, const Nearest& owns) {
  if (!others.last()) return false;
  return !owns.last() || *others.last() < *owns.last();
}

/// The nearest points of a row that is `moved` away from x, within a limit of their relative
/// squared distances, and without those at the positions `except`.
Nearest nearest_points(const OrderedPoints& points, std::size_t most, std::span<const double> moved,
                       double limit = kNever, std::span<const std::size_t> except = {}) {
  // Points at the end of a distance that is rounded down would be missed.
  const double length = std::sqrt(linalg::squared_norm(moved)) * (1.0 + 1e-12);
  Nearest nearest(most, limit);
  double squares[OrderedPoints::kBlock];
  for (std::size_t first = 0; first < points.size(); first += OrderedPoints::kBlock) {
    const double least = points.distance(first) - length;
    if (least > 0.0 && least * least - length * length > nearest.limit()) break;
    const std::size_t last = std::min(first + OrderedPoints::kBlock, points.size());
    points.relative_squares(moved, first, last, squares);
    for (std::size_t n = first; n < last; ++n)
      if (!(squares[n - first] > nearest.limit()) && std::ranges::find(except, n) == except.end())
        nearest.insert(squares[n - first], points.row(n), n);
  }
  return nearest;
}

}  // namespace

RowNeighbors::RowNeighbors(const NeighborRegions& regions, std::span<const double> x,
                           std::size_t own)
    : regions_(regions), x_(x.begin(), x.end()) {
  const Model& model = regions_.model();
  const std::vector<std::size_t>& classes = regions_.classes();
  voters_needed_ = regions_.votes_needed(own);
  owns_needed_ = model.neighbors() - voters_needed_ + 1;
  std::vector<std::size_t> others, owns;
  for (std::size_t n = 0; n < classes.size(); ++n) (classes[n] == own ? owns : others).push_back(n);
  others_ = OrderedPoints(model.points(), others, x_);
  owns_ = OrderedPoints(model.points(), owns, x_);
}

std::vector<double> RowNeighbors::from_x(std::span<const double> y) const {
  std::vector<double> result(x_.size());
  for (std::size_t d = 0; d < x_.size(); ++d) result[d] = y[d] - x_[d];
  return result;
}

std::span<const double> RowNeighbors::voter(std::size_t position) const {
  return regions_.model().points().row(others_.row(position));
}

std::span<const double> RowNeighbors::own(std::size_t position) const {
  return regions_.model().points().row(owns_.row(position));
}

bool RowNeighbors::flips(std::span<const double> y) const { return votes_at(y).flips; }

RowNeighbors::Votes RowNeighbors::votes_at(std::span<const double> y) const {
  const std::vector<double> moved = from_x(y);
  const Nearest owns = nearest_points(owns_, owns_needed_, moved);
  // Voters that are farther than the point that they have to outvote do not win.
  const Nearest others = nearest_points(others_, voters_needed_, moved,
                                        owns.last() ? owns.last()->squared_distance : kNever);
  if (!wins(others, owns)) return {};
  Votes result{others.positions(), owns.positions(), true};
  if (owns.last()) result.free.pop_back();
  return result;
}

RowNeighbors::Votes RowNeighbors::votes_at(const Corner& corner) const {
  const std::vector<double> moved = from_x(corner.y);
  const Nearest others = nearest_points(others_, voters_needed_, moved);
  Votes result{others.positions(), {}, true};
  double farthest = 0.0;
  for (const std::size_t n : result.voters)
    farthest = std::max(farthest, linalg::squared_distance(corner.y, voter(n)));
  // Points that are nearer than the voters are free; then those that matter most.
  const std::size_t free = owns_needed_ - 1;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const std::size_t n : nearest_points(owns_, free, moved).positions()) {
    const bool is_nearer = linalg::squared_distance(corner.y, own(n)) < farthest * (1.0 - kTie);
    if (is_nearer || !corner.rivals.contains(n)) ranked.emplace_back(is_nearer ? -kNever : 0.0, n);
  }
  for (const auto& [n, weight] : corner.rivals)
    if (std::ranges::find(ranked, n, &std::pair<double, std::size_t>::second) == ranked.end())
      ranked.emplace_back(-weight, n);
  std::ranges::sort(ranked);
  for (std::size_t i = 0; i < std::min(free, ranked.size()); ++i)
    result.free.push_back(ranked[i].second);
  return result;
}

RowNeighbors::Corner RowNeighbors::nearest_in_polyhedron(const Votes& votes,
                                                         std::span<const double> inside,
                                                         const Box& box) const {
  std::vector<double> base(inside.begin(), inside.end());
  for (const std::size_t d : box.features) base[d] = x_[d];
  HalfSpaces spaces(box.lowest, box.highest);
  std::vector<std::size_t> rivals_of_spaces;
  std::vector<double> y(base);
  for (std::size_t pass = 0; pass < kMostPasses; ++pass) {
    const std::vector<double> moved = from_x(y);
    const double length = linalg::squared_norm(moved);
    std::vector<double> apart;
    for (const std::size_t n : votes.voters) apart.push_back(linalg::squared_distance(y, voter(n)));
    const double farthest = *std::ranges::max_element(apart) - length;
    const Nearest nearest = nearest_points(owns_, kRivals, moved, farthest, votes.free);
    bool is_inside = true;
    for (std::size_t i = 0; i < apart.size(); ++i) {
      for (const Nearest::Entry& rival : nearest.entries()) {
        if (apart[i] <= (rival.point.squared_distance + length) * (1.0 + 1e-9)) break;
        if (add_bisector(base, voter(votes.voters[i]), own(rival.position), box.features, spaces))
          rivals_of_spaces.push_back(rival.position);
        is_inside = false;
      }
    }
    if (is_inside || !spaces.solve()) break;
    for (std::size_t i = 0; i < box.features.size(); ++i)
      y[box.features[i]] = base[box.features[i]] + spaces.solution()[i];
  }
  Corner corner{std::move(y), {}};
  const std::vector<double> multipliers = spaces.multipliers();
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    if (multipliers[i] > 0.0) corner.rivals[rivals_of_spaces[i]] += multipliers[i];
  return corner;
}

std::vector<double> RowNeighbors::approach(std::vector<double> row, const Box& box,
                                           Polyhedra& visited) const {
  struct Step {
    Votes votes;
    std::vector<double> row;
  };
  std::vector<Step> open;
  const auto visit = [&](Votes votes, const std::vector<double>& from) {
    std::vector<std::size_t> key = votes.voters;
    std::ranges::sort(key);
    key.insert(key.end(), votes.free.begin(), votes.free.end());
    std::sort(key.begin() + static_cast<std::ptrdiff_t>(votes.voters.size()), key.end());
    if (votes.flips && visited.insert(std::move(key)).second)
      open.push_back({std::move(votes), from});
  };
  const auto distance = [&](std::span<const double> y) {
    return std::sqrt(linalg::squared_distance(x_, y));
  };
  visit(votes_at(row), row);
  double least = distance(row);
  for (std::size_t step = 0; step < kMostPolyhedra && !open.empty(); ++step) {
    const Step from = std::move(open.back());
    open.pop_back();
    const Corner corner = nearest_in_polyhedron(from.votes, from.row, box);
    // Rounding may put the nearest point on the other side of the polyhedron's faces.
    std::vector<double> next(row.size());
    Votes there{{}, {}, false};
    for (const double fraction : {1e-9, 1e-6, 1e-3}) {
      for (std::size_t d = 0; d < row.size(); ++d)
        next[d] = corner.y[d] + fraction * (from.row[d] - corner.y[d]);
      there = votes_at(next);
      if (there.flips) break;
    }
    const double before = distance(from.row), after = distance(next);
    if (!there.flips || !(after < before)) continue;
    if (after < least) {
      least = after;
      row = next;
    }
    if (after > before * (1.0 - kSmallGain)) continue;
    visit(std::move(there), next);
    visit(votes_at(corner), next);
  }
  return row;
}

}  // namespace bisector::detail

namespace bisector::linalg {

OrderedPoints::OrderedPoints(const Matrix& points, std::span<const std::size_t> rows,
                             std::span<const double> x) {
  order_.reserve(rows.size());
  for (const std::size_t row : rows) order_.push_back({squared_distance(x, points.row(row)), row});
  std::ranges::sort(order_, std::less<>());
  Matrix relative(rows.size(), x.size());
  distances_.reserve(rows.size());
  for (std::size_t n = 0; n < order_.size(); ++n) {
    distances_.push_back(std::sqrt(order_[n].squared_distance));
    const auto point = points.row(order_[n].index);
    for (std::size_t d = 0; d < x.size(); ++d) relative(n, d) = point[d] - x[d];
  }
  relative_ = PackedMatrix<double>::of_transposed(relative);
}

std::size_t OrderedPoints::within(double distance) const {
  return static_cast<std::size_t>(std::upper_bound(distances_.begin(), distances_.end(), distance) -
                                  distances_.begin());
}

void OrderedPoints::multiply(std::span<const double> direction, std::size_t first, std::size_t last,
                             double* values) const {
  if (first >= last) return;
  simd::kernels<double>().multiply(direction.data(), direction.size(), 1, relative_.panel(first),
                                   relative_.panel_stride(), direction.size(), last - first, values,
                                   round_up(last - first, kBlock), false);
}

void OrderedPoints::relative_squares(std::span<const double> moved, std::size_t first,
                                     std::size_t last, double* values) const {
  multiply(moved, first, last, values);
  for (std::size_t n = first; n < last; ++n)
    values[n - first] = order_[n].squared_distance - 2.0 * values[n - first];
}

}  // namespace bisector::linalg
