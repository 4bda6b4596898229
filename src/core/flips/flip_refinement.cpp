#include "core/flips/flip_refinement.h"

#include <algorithm>
#include <cmath>

#include "core/models/rows.h"

namespace bisector::detail {
namespace {

constexpr int kQuadraticSteps = 30;
constexpr int kMostPlanes = 12;      // per start
constexpr int kLineRounds = 5;       // of three bisections each
constexpr double kGain = 1e-4;       // smaller relative gains end a refinement
constexpr double kConverged = 1e-3;  // relative length of the last quadratic step

}  // namespace

std::vector<std::size_t> FlipRefinement::movable(const Row& row) const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < space_.columns().size(); ++c) {
    const FlipColumn& column = space_.columns()[c];
    if (!column.is_number() || column.change == AllowedChange::none) continue;
    if (most_changes_ > 0 && !space_.differs(c, goal_.x(), row)) continue;
    if (!goal_.model().input().has_matrix() &&
        goal_.model().distance().is_category(column.features[0]))
      continue;
    if (space_.unit_length(column.features[0]) > 0.0) result.push_back(c);
  }
  return result;
}

Row FlipRefinement::project(const Row& row, const std::vector<std::size_t>& columns,
                            const Row& gradient, double needed) const {
  const Row& x = goal_.x();
  Row target = space_.with_levels(x, row);
  std::vector<std::size_t> free = columns;
  while (!free.empty()) {
    double squares = 0.0;
    for (const std::size_t c : free) {
      const std::size_t d = space_.columns()[c].features[0];
      squares += std::pow(gradient[d] / space_.unit_length(d), 2);
    }
    const double factor = needed / squares;
    if (!(squares > 0.0) || !std::isfinite(factor)) break;
    std::vector<std::size_t> inside;
    for (const std::size_t c : free) {
      const std::size_t d = space_.columns()[c].features[0];
      const double unit = space_.unit_length(d);
      const ChangeSpace::Range range = space_.range(c, x);
      const double wanted = x[d] + factor * gradient[d] / (unit * unit);
      target[d] = std::clamp(wanted, range.lowest, range.highest);
      if (target[d] == wanted)
        inside.push_back(c);
      else
        needed -= gradient[d] * (target[d] - x[d]);
    }
    if (inside.size() == free.size()) break;
    free = std::move(inside);
  }
  return target;
}

double FlipRefinement::needed(const Row& row, const std::vector<std::size_t>& columns,
                              const RowGoal::Slope& slope) const {
  double result = -slope.value;
  for (const std::size_t c : columns) {
    const std::size_t d = space_.columns()[c].features[0];
    result += slope.gradient[d] * (row[d] - goal_.x()[d]);
  }
  return result;
}

std::optional<Row> FlipRefinement::first_flipped(const std::vector<Row>& rows) const {
  const std::optional<std::size_t> first = goal_.first_likely(rows);
  if (!first) return std::nullopt;
  return rows[*first];
}

std::optional<Row> FlipRefinement::smooth(const Row& start) const {
  const Contrast* contrast = goal_.contrast(start);
  const std::vector<std::size_t> columns = movable(start);
  if (contrast == nullptr || columns.empty()) return std::nullopt;
  const Row from = space_.with_levels(goal_.x(), start);
  Row row = start;
  std::optional<RowGoal::Slope> slope = goal_.slope(*contrast, row);
  double penalty = 0.0;  // of |g| beside half of the squared distance
  for (int step = 0; slope && step < kQuadraticSteps; ++step) {
    const Row target = project(row, columns, slope->gradient, needed(row, columns, *slope));
    const double own = space_.distance(from, row), goal = space_.distance(from, target);
    if (space_.distance(row, target) <= kConverged * goal) break;
    double squares = 0.0;
    for (const std::size_t c : columns) {
      const std::size_t d = space_.columns()[c].features[0];
      squares += std::pow(slope->gradient[d] / space_.unit_length(d), 2);
    }
    penalty = std::max(penalty, 2.0 * goal / std::sqrt(squares));
    const double merit = 0.5 * own * own + penalty * std::abs(slope->value);
    bool is_better = false;
    for (double fraction = 1.0; fraction > 0.01 && !is_better; fraction *= 0.4) {
      Row next = blend(row, target, fraction);
      std::optional<RowGoal::Slope> there = goal_.slope(*contrast, next);
      if (!there) continue;
      const double distance = space_.distance(from, next);
      is_better = 0.5 * distance * distance + penalty * std::abs(there->value) < merit;
      if (!is_better) continue;
      row = std::move(next);
      slope = std::move(there);
    }
    if (!is_better) break;
  }
  // The boundary is crossed as soon as possible behind the solution.
  std::vector<Row> beyond;
  for (const int exponent : {34, 26, 20, 16, 12, 9, 7})
    beyond.push_back(
        space_.constrained(goal_.x(), blend(from, row, 1.0 + std::ldexp(1.0, -exponent))));
  return first_flipped(beyond);
}

Row FlipRefinement::by_polyhedra(const Row& row) {
  const Model& model = goal_.model();
  const Row& x = goal_.x();
  const std::vector<std::size_t> columns = movable(row);
  RowNeighbors::Box box;
  const auto scale = [&](std::size_t d) {
    return model.input().is_identity() ? 1.0 : model.input().scale()[d];
  };
  for (const std::size_t c : columns) {
    const std::size_t d = space_.columns()[c].features[0];
    const ChangeSpace::Range range = space_.range(c, x);
    const auto [low, high] =
        std::minmax({(range.lowest - x[d]) * scale(d), (range.highest - x[d]) * scale(d)});
    box.features.push_back(d);
    box.lowest.push_back(low);
    box.highest.push_back(high);
  }
  const Matrix both = matrix_of({x, row}, x.size());
  const MappedRows mapped = preprocessed(model.input(), both, model.model_features());
  const auto inside = mapped.row(1);
  Row place = space_.with_levels(x, row);
  place.insert(place.end(), columns.begin(), columns.end());
  const Row point =
      goal_.neighbors()->approach({inside.begin(), inside.end()}, box, visited_[std::move(place)]);
  Row nearest(row);
  for (const std::size_t c : columns) {
    const std::size_t d = space_.columns()[c].features[0];
    const ChangeSpace::Range range = space_.range(c, x);
    nearest[d] =
        std::clamp(x[d] + (point[d] - mapped.row(0)[d]) / scale(d), range.lowest, range.highest);
  }
  // Scaling back may put it on the other side.
  std::vector<Row> rows;
  for (const double fraction : {0.0, 1e-7, 1e-4}) rows.push_back(blend(nearest, row, fraction));
  return first_flipped(rows).value_or(row);
}

Row FlipRefinement::nearest_on_line(const Row& from, const Row& to) const {
  // Eight points at once serve as well as three bisections.
  constexpr int kParts = 8;
  Row low(from), high(to);
  for (int round = 0; round < kLineRounds; ++round) {
    std::vector<Row> points;
    for (int p = 1; p < kParts; ++p) points.push_back(blend(low, high, p / double{kParts}));
    const std::size_t first = goal_.first_likely(points).value_or(points.size());
    if (first < points.size()) high = points[first];
    if (first > 0) low = points[first - 1];
  }
  return high;
}

std::optional<Row> FlipRefinement::plane_step(const Row& row) const {
  const Contrast* contrast = goal_.contrast(row);
  if (contrast == nullptr) return std::nullopt;
  std::optional<RowGoal::Slope> slope = goal_.slope(*contrast, row);
  if (!slope) return std::nullopt;
  slope->value = 0.0;  // The row is on the boundary.
  const std::vector<std::size_t> columns = movable(row);
  const Row target = project(row, columns, slope->gradient, needed(row, columns, *slope));
  const Row from = space_.with_levels(goal_.x(), row);
  // A full step, or a shorter one if the boundary is curved; overshooting reaches the other side.
  const double own = space_.distance(goal_.x(), row);
  for (const double fraction : {1.0, 0.5, 0.2, 0.05}) {
    const Row aim = blend(row, target, fraction);
    std::vector<Row> behind;
    for (const double stretch : {1.0, 1.05, 1.3}) {
      Row longer = space_.constrained(goal_.x(), blend(from, aim, stretch));
      if (space_.distance(goal_.x(), longer) < own * 1.3) behind.push_back(std::move(longer));
    }
    const std::optional<Row> flipped = first_flipped(behind);
    if (!flipped) continue;
    Row found = nearest_on_line(from, *flipped);
    if (space_.distance(goal_.x(), found) < own) return found;
  }
  return std::nullopt;
}

Row FlipRefinement::by_planes(Row row) const {
  double own = space_.distance(goal_.x(), row);
  for (int step = 0; step < kMostPlanes && own > 0.0; ++step) {
    std::optional<Row> better = plane_step(row);
    if (!better) break;
    const double distance = space_.distance(goal_.x(), *better);
    const bool is_last = distance > own * (1.0 - kGain);
    row = std::move(*better);
    own = distance;
    if (is_last) break;
  }
  return row;
}

Row FlipRefinement::refine(Row row) {
  const Model& model = goal_.model();
  if (model.kernel() != nullptr && !model.input().has_matrix() && model.distance().is_euclidean()) {
    const std::optional<Row> found = smooth(row);
    if (found && space_.distance(goal_.x(), *found) < space_.distance(goal_.x(), row))
      return *found;
  }
  if (goal_.neighbors() != nullptr) return by_polyhedra(row);
  return by_planes(std::move(row));
}

}  // namespace bisector::detail
