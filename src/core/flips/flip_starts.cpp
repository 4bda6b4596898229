#include "core/flips/flip_starts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/models/rows.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kExamples = 32, kNeighborExamples = 16;  // nearest ones that are tried
constexpr std::size_t kMostProposals = 512;                    // single changes that are tried
constexpr int kSteepestSteps = 14;
constexpr double kFarthest = 82.0;  // of these steps, in the model's space
constexpr int kBisections = 6, kHalvings = 8;
constexpr std::size_t kLines = 4;  // per start, that are bisected to the end
/// Starts are different if they are farther apart than this fraction of their distance.
constexpr double kApart = 0.3;

}  // namespace

void FlipStarts::add_flipped(std::vector<Row> proposed, std::vector<Row>& rows) const {
  const std::vector<bool> are_flipped = goal_.likely_flips(proposed);
  for (std::size_t r = 0; r < proposed.size(); ++r)
    if (are_flipped[r]) rows.push_back(std::move(proposed[r]));
}

std::vector<Row> FlipStarts::examples() const {
  const FlipModel& shared = goal_.shared();
  std::vector<std::pair<double, std::size_t>> nearest;
  for (std::size_t e = 0; e < shared.examples.rows(); ++e)
    if (goal_.is_goal(shared.outcomes, e))
      nearest.emplace_back(space_.movable_distance(goal_.x(), shared.examples.row(e)), e);
  const std::size_t count =
      std::min(nearest.size(), goal_.neighbors() != nullptr ? kNeighborExamples : kExamples);
  std::partial_sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(count),
                    nearest.end());
  std::vector<Row> flipped, proposed;
  for (std::size_t n = 0; n < count; ++n) {
    const auto example = shared.examples.row(nearest[n].second);
    Row row = space_.constrained(goal_.x(), example);
    (std::ranges::equal(row, example) ? flipped : proposed).push_back(std::move(row));
  }
  if (!shared.has_all_points) propose_neighbors(proposed);
  add_flipped(std::move(proposed), flipped);
  return flipped;
}

void FlipStarts::propose_neighbors(std::vector<Row>& rows) const {
  const FlipModel& shared = goal_.shared();
  if (!shared.regions || shared.model.input().has_matrix()) return;
  const AffineMap& input = shared.model.input();
  const MappedRows mapped =
      preprocessed(input, {goal_.x().data(), 1, goal_.x().size()}, shared.model.model_features());
  for (const std::size_t n : shared.regions->nearest_others(mapped.row(0), goal_.prediction(),
                                                            shared.to_class, kExamples)) {
    const auto point = shared.model.points().row(n);
    Row row(point.begin(), point.end());
    if (!input.is_identity())
      for (std::size_t d = 0; d < row.size(); ++d)
        row[d] = row[d] / input.scale()[d] + input.shift()[d];
    rows.push_back(space_.constrained(goal_.x(), row));
  }
}

std::vector<Row> FlipStarts::single_changes(bool with_numbers) const {
  const Row& x = goal_.x();
  std::vector<Row> singles;
  for (std::size_t c = 0; c < space_.columns().size(); ++c) {
    const FlipColumn& column = space_.columns()[c];
    if (!column.is_number()) {
      for (const std::size_t level : space_.reachable_levels(c, x)) {
        singles.push_back(x);
        space_.set_level(c, level, singles.back());
      }
      continue;
    }
    const std::size_t d = column.features[0];
    const ChangeSpace::Range range = space_.range(c, x);
    for (const double end : {range.lowest, range.highest}) {
      if (!with_numbers || end == x[d] || !std::isfinite(end)) continue;
      singles.push_back(x);
      singles.back()[d] = end;
    }
    if (singles.size() > kMostProposals) return {};
  }
  return singles;
}

std::vector<Row> FlipStarts::steepest(double farthest) const {
  const Row& x = goal_.x();
  const Contrast* contrast = goal_.contrast(x);
  if (contrast == nullptr) return {};
  const std::optional<RowGoal::Slope> slope = goal_.slope(*contrast, x);
  if (!slope) return {};
  Row direction(x.size(), 0.0);
  double squares = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const double unit = space_.unit_length(d);
    if (!(unit > 0.0)) continue;
    direction[d] = -slope->gradient[d] / (unit * unit);
    squares += direction[d] * direction[d] * unit * unit;
  }
  if (!(squares > 0.0) || !std::isfinite(squares)) return {};
  std::vector<Row> rows;
  double length = farthest;
  for (int step = 0; step < kSteepestSteps && length > 0.01; ++step, length *= 0.5) {
    Row row(x);
    for (std::size_t d = 0; d < x.size(); ++d) row[d] += length / std::sqrt(squares) * direction[d];
    rows.push_back(space_.constrained(x, row));
  }
  return rows;
}

std::vector<Row> FlipStarts::flipped_rows() const {
  std::vector<Row> rows = examples();
  double nearest = std::numeric_limits<double>::infinity();
  for (const Row& row : rows) nearest = std::min(nearest, space_.distance(goal_.x(), row));
  // Ends of ranges are far away: they serve if few columns may change, or if no example flips.
  add_flipped(single_changes(most_changes_ > 0 || rows.empty()), rows);
  // Longer steps reach the outside of a detector if no example is outside.
  add_flipped(steepest(std::isfinite(nearest) ? nearest : kFarthest), rows);
  if (most_changes_ == 0) return rows;
  std::vector<Row> few;
  for (const Row& row : rows)
    if (std::optional<Row> own = with_few_changes(row)) few.push_back(std::move(*own));
  return few;
}

std::optional<Row> FlipStarts::with_few_changes(const Row& start) const {
  if (space_.changed(goal_.x(), start).size() <= most_changes_) return start;
  const Contrast* contrast = goal_.contrast(start);
  if (contrast == nullptr) return std::nullopt;
  // The column whose value brings g closest to the other side is taken over first.
  Row row(goal_.x());
  for (std::size_t step = 0; step < most_changes_; ++step) {
    std::vector<Row> candidates;
    for (const std::size_t c : space_.changed(row, start)) {
      candidates.push_back(row);
      space_.copy(c, start, candidates.back());
    }
    if (candidates.empty()) break;
    const Matrix points = matrix_of(candidates, row.size());
    const std::vector<double> g = contrast->g_at(
        preprocessed(goal_.model().input(), points, goal_.model().model_features()).copy());
    const auto best =
        goal_.sign() < 0.0 ? std::ranges::max_element(g) : std::ranges::min_element(g);
    row = candidates[static_cast<std::size_t>(best - g.begin())];
    if (goal_.flips(row)) return row;
  }
  return std::nullopt;
}

void FlipStarts::reset_levels(std::vector<Row>& rows) const {
  for (std::size_t c = 0; c < space_.columns().size(); ++c) {
    if (space_.columns()[c].is_number()) continue;
    std::vector<Row> without;
    std::vector<std::size_t> which;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!space_.differs(c, goal_.x(), rows[r])) continue;
      without.push_back(rows[r]);
      space_.copy(c, goal_.x(), without.back());
      which.push_back(r);
    }
    const std::vector<bool> are_flipped = goal_.likely_flips(without);
    for (std::size_t i = 0; i < which.size(); ++i)
      if (are_flipped[i]) rows[which[i]] = without[i];
  }
}

void FlipStarts::approach(std::vector<Line>& lines) const {
  std::vector<Row> middle;
  for (const Line& line : lines) middle.push_back(blend(line.from, line.to, 0.5));
  const std::vector<bool> are_flipped = goal_.likely_flips(middle);
  for (std::size_t n = 0; n < lines.size(); ++n)
    (are_flipped[n] ? lines[n].to : lines[n].from) = std::move(middle[n]);
}

bool FlipStarts::approach_neighbors(std::vector<Line>& lines, std::size_t kept_lines) const {
  if (goal_.neighbors() == nullptr) return false;
  std::vector<Row> rows;
  for (const Line& line : lines) {
    rows.push_back(line.from);
    rows.push_back(line.to);
  }
  const Matrix inputs = matrix_of(rows, goal_.x().size());
  const MappedRows mapped =
      preprocessed(goal_.model().input(), inputs, goal_.model().model_features());
  // Lines are left out if they are not flipped at the distance of the nearest crossings so far.
  std::vector<double> nearest;
  std::vector<Line> kept;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const double length = space_.distance(goal_.x(), lines[n].to);
    if (nearest.size() == kept_lines && length > nearest.back()) {
      Row there = blend(lines[n].from, lines[n].to, nearest.back() / length);
      if (!goal_.likely_flips({std::move(there)})[0]) continue;
    }
    const double fraction =
        goal_.neighbors()->crossing(mapped.row(2 * n), mapped.row(2 * n + 1), kHalvings);
    lines[n].to = blend(lines[n].from, lines[n].to, fraction);
    const double own = space_.distance(goal_.x(), lines[n].to);
    nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), own), own);
    if (nearest.size() > kept_lines) nearest.pop_back();
    kept.push_back(std::move(lines[n]));
  }
  lines = std::move(kept);
  return true;
}

std::vector<Row> FlipStarts::on_boundary(std::vector<Row> rows, std::size_t count) const {
  std::vector<Row> levels, result;
  std::vector<Line> lines;
  for (Row& row : rows) {
    Row from = space_.with_levels(goal_.x(), row);
    if (from != goal_.x()) levels.push_back(from);
    lines.push_back({std::move(from), std::move(row)});
  }
  add_flipped(levels, result);
  std::erase_if(lines, [&](const Line& line) {
    return std::ranges::find(result, line.from) != result.end();
  });
  const bool are_there = approach_neighbors(lines, count);
  for (int step = 0; !are_there && step < kBisections; ++step) {
    approach(lines);
    if (lines.size() <= kLines * count) continue;
    // The nearest ones are likely to stay the nearest.
    std::ranges::stable_sort(lines, std::less<>(),
                             [&](const Line& line) { return space_.distance(goal_.x(), line.to); });
    lines.resize(std::max(kLines * count, lines.size() / 2));
  }
  for (Line& line : lines) result.push_back(std::move(line.to));
  space_.sort_by_distance(goal_.x(), result);
  return result;
}

std::vector<Row> FlipStarts::different(const std::vector<Row>& rows, std::size_t count) const {
  std::vector<Row> result;
  for (const double apart : {kApart, 0.0}) {
    for (const Row& row : rows) {
      if (result.size() == count) return result;
      const double least = apart * space_.distance(goal_.x(), row);
      const bool is_new = std::ranges::all_of(
          result, [&](const Row& other) { return space_.distance(other, row) > least; });
      if (is_new) result.push_back(row);
    }
  }
  return result;
}

std::vector<Row> FlipStarts::find(std::size_t count) const {
  std::vector<Row> rows = flipped_rows();
  space_.sort_by_distance(goal_.x(), rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  reset_levels(rows);
  return different(on_boundary(std::move(rows), count), count);
}

}  // namespace bisector::detail
