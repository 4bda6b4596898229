#include <algorithm>
#include <cmath>
#include <map>

#include "core/flips/flip_search.h"

namespace bisector::detail {
namespace {

constexpr int kQuadraticSteps = 40;  // with the shorter ones that are tried
constexpr int kMostPlanes = 12;      // per start
constexpr int kLineRounds = 5;       // of three bisections each
constexpr double kGain = 1e-4;       // smaller relative gains end a refinement
constexpr double kConverged = 1e-3;  // relative length of the last quadratic step
/// Paths that are closer than this fraction of their distance lead to the same row.
constexpr double kTogether = 0.1;

/// A number that may change.
struct Coordinate {
  std::size_t feature;
  double unit;  // distance in the model's space per unit of the feature
  ChangeSpace::Range range;
};

class Refinement {
 public:
  explicit Refinement(const FlipSearch& search)
      : search_(search), goal_(search.goal), space_(search.space), x_(search.x()) {}

  std::vector<Row> of(const std::vector<Row>& starts) {
    const Model& model = goal_.model();
    if (model.kernel() != nullptr && !model.input().has_matrix() && model.distance().is_euclidean())
      return smooth(starts);
    std::vector<Row> result;
    for (const Row& start : starts)
      result.push_back(goal_.neighbors() != nullptr ? by_polyhedra(start) : by_planes(start));
    return result;
  }

 private:
  std::vector<Coordinate> movable(const Row& row) const {
    const Model& model = goal_.model();
    std::vector<Coordinate> result;
    for (std::size_t c = 0; c < space_.columns().size(); ++c) {
      const FlipColumn& column = space_.columns()[c];
      if (!column.is_number() || column.change == AllowedChange::none) continue;
      if (search_.most_changes > 0 && !space_.differs(c, x_, row)) continue;
      const std::size_t d = column.features[0];
      if (!model.input().has_matrix() && model.distance().is_category(d)) continue;
      if (space_.unit_length(d) > 0.0)
        result.push_back({d, space_.unit_length(d), space_.range(c, x_)});
    }
    return result;
  }

  static double squared_slope(const std::vector<Coordinate>& movable, const Row& gradient) {
    double squares = 0.0;
    for (const Coordinate& c : movable) squares += std::pow(gradient[c.feature] / c.unit, 2);
    return squares;
  }

  /// The row nearest to x on the plane on which the linear approximation of g at a row is 0, in the
  /// lengths of the model's space. Numbers at the end of their range stay there.
  Row project(const Row& row, std::vector<Coordinate> movable, double g,
              const Row& gradient) const {
    double needed = -g;  // the change along the gradient from x to the plane
    for (const Coordinate& c : movable)
      needed += gradient[c.feature] * (row[c.feature] - x_[c.feature]);
    Row target = search_.from(row);
    while (!movable.empty()) {
      const double squares = squared_slope(movable, gradient), factor = needed / squares;
      if (!(squares > 0.0) || !std::isfinite(factor)) break;
      std::vector<Coordinate> inside;
      for (const Coordinate& c : movable) {
        const std::size_t d = c.feature;
        const double wanted = x_[d] + factor * gradient[d] / (c.unit * c.unit);
        target[d] = std::clamp(wanted, c.range.lowest, c.range.highest);
        if (target[d] == wanted)
          inside.push_back(c);
        else
          needed -= gradient[d] * (target[d] - x_[d]);
      }
      if (inside.size() == movable.size()) break;
      movable = std::move(inside);
    }
    return target;
  }

  std::optional<Row> first_flipped(const std::vector<Row>& rows) const {
    const std::optional<std::size_t> first = goal_.first_likely(rows);
    if (!first) return std::nullopt;
    return rows[*first];
  }

  /// Sequential quadratic steps on g = 0 from one start.
  struct Path {
    Row start, from;  // `from` is x with the start's levels
    const Contrast* contrast;
    std::vector<Coordinate> movable;
    Row row = {}, target = {}, trial = {};
    double g = 0.0;
    double penalty = 0.0;  // of |g| beside half of the squared distance
    double merit = 0.0;
    double fraction = 1.0;  // of the step to the target that is tried
    bool is_moving = true;
  };

  /// For smooth kernels. All paths take their steps together, because the model computes many rows
  /// faster than one.
  std::vector<Row> smooth(const std::vector<Row>& starts) const {
    std::vector<Path> paths;
    for (const Row& start : starts) {
      Path path{start, search_.from(start), goal_.contrast(start), movable(start)};
      path.trial = start;
      path.is_moving = path.contrast != nullptr && !path.movable.empty();
      paths.push_back(std::move(path));
    }
    for (int step = 0; step < kQuadraticSteps && take_step(paths); ++step) leave_one_of_each(paths);
    std::vector<Row> result;
    for (const Path& path : paths) {
      std::optional<Row> end = path.row.empty() ? std::nullopt : behind_boundary(path);
      if (!end || !(search_.distance(*end) < search_.distance(path.start)))
        end = by_planes(path.start);
      result.push_back(std::move(*end));
    }
    return result;
  }

  /// One step on every path that moves; false: none does.
  bool take_step(std::vector<Path>& paths) const {
    std::vector<Path*> left;
    for (Path& path : paths)
      if (path.is_moving) left.push_back(&path);
    const bool are_moving = !left.empty();
    while (!left.empty()) {
      const Contrast* contrast = left[0]->contrast;
      std::vector<Path*> own, others;
      for (Path* path : left) (path->contrast == contrast ? own : others).push_back(path);
      std::vector<Row> trials;
      for (const Path* path : own) trials.push_back(path->trial);
      const auto slopes = goal_.slopes(*contrast, trials);
      for (std::size_t n = 0; n < own.size(); ++n) advance(*own[n], slopes[n]);
      left = std::move(others);
    }
    return are_moving;
  }

  double merit(const Path& path, const Row& row, double g) const {
    const double distance = space_.distance(path.from, row);
    return 0.5 * distance * distance + path.penalty * std::abs(g);
  }

  /// Goes to the trial if it is better, and makes the next one.
  void advance(Path& path, const std::optional<RowGoal::Slope>& slope) const {
    const bool is_better =
        slope && (path.row.empty() || merit(path, path.trial, slope->value) < path.merit);
    if (is_better) {
      path.row = std::move(path.trial);
      path.fraction = 1.0;
      path.target = project(path.row, path.movable, slope->value, slope->gradient);
      const double length = space_.distance(path.from, path.target);
      path.penalty = std::max(
          path.penalty, 2.0 * length / std::sqrt(squared_slope(path.movable, slope->gradient)));
      path.merit = merit(path, path.row, slope->value);
      path.is_moving = space_.distance(path.row, path.target) > kConverged * length;
    } else {
      path.fraction *= 0.4;
      path.is_moving = !path.row.empty() && path.fraction > 0.01;
    }
    if (path.is_moving) path.trial = blend(path.row, path.target, path.fraction);
  }

  /// Leaves out paths that meet an earlier one.
  void leave_one_of_each(std::vector<Path>& paths) const {
    std::vector<Path> kept;
    for (Path& path : paths) {
      const bool is_known = std::ranges::any_of(kept, [&](const Path& other) {
        return other.from == path.from && !other.row.empty() && !path.row.empty() &&
               space_.distance(other.row, path.row) <=
                   kTogether * space_.distance(path.from, path.row);
      });
      if (!is_known) kept.push_back(std::move(path));
    }
    paths = std::move(kept);
  }

  /// The boundary is crossed as soon as possible behind the end of a path.
  std::optional<Row> behind_boundary(const Path& path) const {
    std::vector<Row> beyond;
    for (const int exponent : {34, 26, 20, 16, 12, 9, 7})
      beyond.push_back(
          space_.constrained(x_, blend(path.from, path.row, 1.0 + std::ldexp(1.0, -exponent))));
    return first_flipped(beyond);
  }

  /// Steps from polyhedron to polyhedron; for a majority of neighbors.
  Row by_polyhedra(const Row& row) {
    const AffineMap& input = goal_.model().input();
    const auto scale = [&](std::size_t d) { return input.is_identity() ? 1.0 : input.scale()[d]; };
    const std::vector<Coordinate> coordinates = movable(row);
    RowNeighbors::Box box;
    Row place = search_.from(row);
    for (const auto& [d, unit, range] : coordinates) {
      const auto [low, high] =
          std::minmax({(range.lowest - x_[d]) * scale(d), (range.highest - x_[d]) * scale(d)});
      box.features.push_back(d);
      box.lowest.push_back(low);
      box.highest.push_back(high);
      place.push_back(static_cast<double>(d));
    }
    const Matrix both = goal_.in_model_space({x_, row});
    const auto inside = both.row(1);
    const Row point = goal_.neighbors()->approach({inside.begin(), inside.end()}, box,
                                                  visited_[std::move(place)]);
    Row nearest(row);
    for (const auto& [d, unit, range] : coordinates)
      nearest[d] =
          std::clamp(x_[d] + (point[d] - both(0, d)) / scale(d), range.lowest, range.highest);
    // Scaling back may put it on the other side.
    std::vector<Row> rows;
    for (const double fraction : {0.0, 1e-7, 1e-4}) rows.push_back(blend(nearest, row, fraction));
    return first_flipped(rows).value_or(row);
  }

  /// Projections on planes; for all models.
  Row by_planes(Row row) const {
    double own = search_.distance(row);
    for (int step = 0; step < kMostPlanes && own > 0.0; ++step) {
      std::optional<Row> better = plane_step(row);
      if (!better) break;
      const double distance = search_.distance(*better);
      const bool is_last = distance > own * (1.0 - kGain);
      row = std::move(*better);
      own = distance;
      if (is_last) break;
    }
    return row;
  }

  /// The projection on the plane that is perpendicular to the gradient of g, if it is shorter.
  std::optional<Row> plane_step(const Row& row) const {
    const Contrast* contrast = goal_.contrast(row);
    if (contrast == nullptr) return std::nullopt;
    const std::optional<RowGoal::Slope> slope = goal_.slopes(*contrast, {row})[0];
    if (!slope) return std::nullopt;
    const Row target = project(row, movable(row), 0.0, slope->gradient);  // on the boundary, g is 0
    const Row from = search_.from(row);
    // A full step, or a shorter one if the boundary is curved; overshooting reaches the other side.
    const double own = search_.distance(row);
    for (const double fraction : {1.0, 0.5, 0.2, 0.05}) {
      const Row aim = blend(row, target, fraction);
      std::vector<Row> behind;
      for (const double stretch : {1.0, 1.05, 1.3}) {
        Row longer = space_.constrained(x_, blend(from, aim, stretch));
        if (search_.distance(longer) < own * 1.3) behind.push_back(std::move(longer));
      }
      const std::optional<Row> flipped = first_flipped(behind);
      if (!flipped) continue;
      Row found = nearest_on_line(from, *flipped);
      if (search_.distance(found) < own) return found;
    }
    return std::nullopt;
  }

  /// The first flipped row on the line from a row that is not flipped to one that is.
  Row nearest_on_line(const Row& from, const Row& to) const {
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

  const FlipSearch& search_;
  const RowGoal& goal_;
  const ChangeSpace& space_;
  const Row& x_;
  /// The polyhedra of earlier rows, by the rows' levels and movable features.
  std::map<Row, RowNeighbors::Polyhedra> visited_;
};

}  // namespace

std::vector<Row> refined_flips(const FlipSearch& search, const std::vector<Row>& starts) {
  return Refinement(search).of(starts);
}

}  // namespace bisector::detail
