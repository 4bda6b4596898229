#include "core/flips/flip_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kExamples = 32;        // nearest examples that are tried
constexpr std::size_t kMostProposals = 512;  // single changes that are tried
constexpr std::size_t kRefined = 6;          // starts that are refined
constexpr std::size_t kFinished = 4;         // of these, rows that are rounded and shortened
constexpr int kRounds = 8, kFewRounds = 4;   // of three bisections each
constexpr int kRefinements = 12;

using Row = std::vector<double>;

Matrix matrix_of(const std::vector<Row>& rows, std::size_t features) {
  Matrix matrix(rows.size(), features);
  for (std::size_t r = 0; r < rows.size(); ++r) std::ranges::copy(rows[r], matrix.row(r).begin());
  return matrix;
}

Row blend(const Row& from, const Row& to, double fraction) {
  Row result(from.size());
  for (std::size_t d = 0; d < from.size(); ++d)
    result[d] = from[d] == to[d] ? from[d] : from[d] + fraction * (to[d] - from[d]);
  return result;
}

void sort_by_distance(const ChangeSpace& space, const Row& x, std::vector<Row>& rows) {
  std::vector<std::pair<double, Row>> keyed;
  for (Row& row : rows) keyed.emplace_back(space.distance(x, row), std::move(row));
  std::ranges::stable_sort(keyed, std::less<>(), [](const auto& entry) { return entry.first; });
  rows.clear();
  for (auto& entry : keyed) rows.push_back(std::move(entry.second));
}

/// Null if a pool of the pair is empty.
const Contrast* contrast_of(const Contrasts& contrasts, Model::ClassPair pair) {
  try {
    return &contrasts.of(pair);
  } catch (const InvalidModel&) {
    return nullptr;
  }
}

Outcomes outcomes_of(const Predictions& predictions, bool is_regressor) {
  Outcomes result;
  result.classes = predictions.classes;
  result.are_known.assign(predictions.decisions.rows(), true);
  for (const std::size_t r : predictions.without_neighbors) result.are_known[r] = false;
  for (std::size_t r = 0; is_regressor && r < predictions.decisions.rows(); ++r)
    result.values.push_back(predictions.decisions(r, 0));
  return result;
}

}  // namespace

Outcomes FlipModel::predict(MatrixView<const double> rows) const {
  return outcomes_of(decide(rows), model.is_regressor());
}

FlipSearch::FlipSearch(const FlipModel& shared, std::span<const double> row,
                       std::size_t most_changes)
    : shared_(shared), x_(row.begin(), row.end()), most_changes_(most_changes) {
  own_ = outcomes_of(shared_.decide({x_.data(), 1, x_.size()}), shared_.model.is_regressor());
}

bool FlipSearch::is_there() const {
  return shared_.to_class && own_.classes[0] == *shared_.to_class;
}

bool FlipSearch::is_goal(const Outcomes& outcomes, std::size_t row) const {
  if (!outcomes.are_known[row]) return false;
  if (shared_.model.is_regressor()) {
    const double value = outcomes.values[row], reach = *shared_.reach;
    return own_.values[0] < reach ? value >= reach : value <= reach;
  }
  if (shared_.to_class) return outcomes.classes[row] == *shared_.to_class;
  return outcomes.classes[row] != own_.classes[0];
}

std::vector<bool> FlipSearch::flips(const std::vector<Row>& rows) const {
  std::vector<bool> result(rows.size());
  if (rows.empty()) return result;
  const Outcomes outcomes = shared_.predict(matrix_of(rows, x_.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) result[r] = is_goal(outcomes, r);
  return result;
}

void FlipSearch::propose_examples(const ChangeSpace& space, std::vector<Row>& rows) const {
  std::vector<Row> examples;
  for (std::size_t e = 0; e < shared_.examples.rows(); ++e)
    if (is_goal(shared_.outcomes, e))
      examples.push_back(space.constrained(x_, shared_.examples.row(e)));
  sort_by_distance(space, x_, examples);
  examples.resize(std::min(examples.size(), kExamples));
  std::ranges::move(examples, std::back_inserter(rows));
  if (!shared_.regions || shared_.model.input().has_matrix()) return;
  const AffineMap& input = shared_.model.input();
  const MappedRows mapped =
      preprocessed(input, {x_.data(), 1, x_.size()}, shared_.model.model_features());
  for (const std::size_t n : shared_.regions->nearest_others(mapped.row(0), own_.classes[0],
                                                             shared_.to_class, kExamples)) {
    const auto point = shared_.model.points().row(n);
    Row row(point.begin(), point.end());
    if (!input.is_identity())
      for (std::size_t d = 0; d < row.size(); ++d)
        row[d] = row[d] / input.scale()[d] + input.shift()[d];
    rows.push_back(space.constrained(x_, row));
  }
}

void FlipSearch::propose_single_changes(const ChangeSpace& space, std::vector<Row>& rows) const {
  std::vector<Row> singles;
  for (std::size_t c = 0; c < space.columns().size() && singles.size() <= kMostProposals; ++c) {
    const FlipColumn& column = space.columns()[c];
    if (!column.is_number()) {
      for (const std::size_t level : space.reachable_levels(c, x_)) {
        singles.push_back(x_);
        space.set_level(c, level, singles.back());
      }
      continue;
    }
    const std::size_t d = column.features[0];
    const ChangeSpace::Range range = space.range(c, x_);
    for (const double end : {range.lowest, range.highest}) {
      if (end == x_[d] || !std::isfinite(end)) continue;
      singles.push_back(x_);
      singles.back()[d] = end;
    }
  }
  if (singles.size() <= kMostProposals) std::ranges::move(singles, std::back_inserter(rows));
}

/// Longer and longer steps along the gradient: reaches the outside of a detector if no
/// example is outside.
void FlipSearch::propose_steepest(const ChangeSpace& space, std::vector<Row>& rows) const {
  const std::optional<Row> slope = gradient(x_);
  if (!slope) return;
  Row direction(x_.size(), 0.0);
  double squares = 0.0;
  for (std::size_t d = 0; d < x_.size(); ++d) {
    const double unit = space.unit_length(d);
    if (!(unit > 0.0)) continue;
    direction[d] = -(*slope)[d] / (unit * unit);
    squares += direction[d] * direction[d] * unit * unit;
  }
  if (!(squares > 0.0) || !std::isfinite(squares)) return;
  double length = 0.01;
  for (int step = 0; step < 14; ++step, length *= 2.0) {
    Row row(x_);
    for (std::size_t d = 0; d < x_.size(); ++d)
      row[d] += length / std::sqrt(squares) * direction[d];
    rows.push_back(space.constrained(x_, row));
  }
}

std::vector<Row> FlipSearch::proposals(const ChangeSpace& space) const {
  std::vector<Row> rows;
  propose_examples(space, rows);
  propose_single_changes(space, rows);
  propose_steepest(space, rows);
  return rows;
}

std::vector<Row> FlipSearch::starts(const ChangeSpace& space) const {
  std::vector<Row> proposed = proposals(space), result;
  const std::vector<bool> are_flipped = flips(proposed);
  for (std::size_t r = 0; r < proposed.size(); ++r)
    if (are_flipped[r]) result.push_back(std::move(proposed[r]));
  if (most_changes_ > 0) result = with_few_changes(space, result);
  sort_by_distance(space, x_, result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::vector<Row> FlipSearch::with_few_changes(const ChangeSpace& space,
                                              const std::vector<Row>& rows) const {
  std::vector<Row> result;
  for (const Row& start : rows) {
    if (space.changed(x_, start).size() <= most_changes_) {
      result.push_back(start);
      continue;
    }
    // The column whose value brings g closest to the other side is taken over first.
    Model::ClassPair pair{0, 1};
    if (!shared_.model.is_regressor())
      pair = {own_.classes[0],
              shared_.predict(MatrixView<const double>(start.data(), 1, start.size())).classes[0]};
    const Contrast* contrast = contrast_of(shared_.contrasts, pair);
    if (contrast == nullptr) continue;
    Row row(x_);
    for (std::size_t step = 0; step < most_changes_; ++step) {
      std::vector<Row> candidates;
      for (const std::size_t c : space.changed(row, start)) {
        candidates.push_back(row);
        space.copy(c, start, candidates.back());
      }
      if (candidates.empty()) break;
      const Matrix points = matrix_of(candidates, x_.size());
      const std::vector<double> g = contrast->g_at(
          preprocessed(shared_.model.input(), points, shared_.model.model_features()).copy());
      const bool is_rising = shared_.model.is_regressor() && own_.values[0] < *shared_.reach;
      const auto best = is_rising ? std::ranges::max_element(g) : std::ranges::min_element(g);
      row = candidates[static_cast<std::size_t>(best - g.begin())];
      if (flips(row)) {
        result.push_back(row);
        break;
      }
    }
  }
  return result;
}

void FlipSearch::reset_levels(const ChangeSpace& space, std::vector<Row>& rows) const {
  for (std::size_t c = 0; c < space.columns().size(); ++c) {
    if (space.columns()[c].is_number()) continue;
    std::vector<Row> without;
    std::vector<std::size_t> which;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!space.differs(c, x_, rows[r])) continue;
      without.push_back(rows[r]);
      space.copy(c, x_, without.back());
      which.push_back(r);
    }
    const std::vector<bool> are_flipped = flips(without);
    for (std::size_t i = 0; i < which.size(); ++i)
      if (are_flipped[i]) rows[which[i]] = without[i];
  }
}

Row FlipSearch::with_levels_of(const ChangeSpace& space, const Row& row) const {
  Row result(x_);
  for (std::size_t c = 0; c < space.columns().size(); ++c)
    if (!space.columns()[c].is_number()) space.copy(c, row, result);
  return result;
}

void FlipSearch::approach(const ChangeSpace& space, std::vector<Row>& rows) const {
  std::vector<Row> from, middle(rows.size());
  for (const Row& row : rows) from.push_back(with_levels_of(space, row));
  const std::vector<bool> are_there = flips(from);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (are_there[r]) rows[r] = from[r];
  for (int step = 0; step < 3 * kRounds / 2; ++step) {
    for (std::size_t r = 0; r < rows.size(); ++r) middle[r] = blend(from[r], rows[r], 0.5);
    const std::vector<bool> are_flipped = flips(middle);
    for (std::size_t r = 0; r < rows.size(); ++r) (are_flipped[r] ? rows[r] : from[r]) = middle[r];
  }
}

Row FlipSearch::nearest_on_line(const Row& from, const Row& to, int rounds) const {
  // Eight points at once serve as well as three bisections.
  constexpr int kParts = 8;
  Row low(from), high(to);
  if (flips(low)) return low;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Row> points;
    for (int p = 1; p < kParts; ++p) points.push_back(blend(low, high, p / double{kParts}));
    const std::vector<bool> are_flipped = flips(points);
    const auto first =
        static_cast<std::size_t>(std::ranges::find(are_flipped, true) - are_flipped.begin());
    if (first < points.size()) high = points[first];
    if (first > 0) low = points[first - 1];
  }
  return high;
}

std::vector<std::size_t> FlipSearch::movable(const ChangeSpace& space, const Row& row) const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < space.columns().size(); ++c) {
    const FlipColumn& column = space.columns()[c];
    if (!column.is_number() || column.change == AllowedChange::none) continue;
    if (most_changes_ > 0 && !space.differs(c, x_, row)) continue;
    if (!shared_.model.input().has_matrix() &&
        shared_.model.distance().is_category(column.features[0]))
      continue;
    if (space.unit_length(column.features[0]) > 0.0) result.push_back(c);
  }
  return result;
}

std::optional<Row> FlipSearch::polyhedron_step(const ChangeSpace& space, const Row& row) const {
  const Model& model = shared_.model;
  if (!shared_.regions || model.input().has_matrix()) return std::nullopt;
  const std::vector<std::size_t> columns = movable(space, row);
  std::vector<std::size_t> free;
  std::vector<double> lowest, highest;
  const auto scale = [&](std::size_t d) {
    return model.input().is_identity() ? 1.0 : model.input().scale()[d];
  };
  for (const std::size_t c : columns) {
    const std::size_t d = space.columns()[c].features[0];
    const ChangeSpace::Range range = space.range(c, x_);
    const auto [low, high] =
        std::minmax({(range.lowest - x_[d]) * scale(d), (range.highest - x_[d]) * scale(d)});
    free.push_back(d);
    lowest.push_back(low);
    highest.push_back(high);
  }
  const Matrix both = matrix_of({x_, row}, x_.size());
  const MappedRows mapped = preprocessed(model.input(), both, model.model_features());
  const std::size_t winner =
      shared_.predict(MatrixView<const double>(row.data(), 1, row.size())).classes[0];
  const Row point = shared_.regions->nearest_in_polyhedron(
      mapped.row(0), mapped.row(1), winner, free, std::move(lowest), std::move(highest));
  Row result(row);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const std::size_t d = free[i];
    const ChangeSpace::Range range = space.range(columns[i], x_);
    const double moved = (point[d] - mapped.row(0)[d]) / scale(d);
    result[d] = std::clamp(x_[d] + moved, range.lowest, range.highest);
  }
  return nearest_on_line(result, row, kRounds);
}

std::optional<Row> FlipSearch::gradient(const Row& row) const {
  const Model& model = shared_.model;
  const MatrixView<const double> input(row.data(), 1, row.size());
  Model::ClassPair pair{0, 1};
  if (!model.is_regressor()) {
    const std::size_t other = shared_.predict(input).classes[0];
    pair = {own_.classes[0], other != own_.classes[0] ? other : shared_.to_class.value_or(other)};
    if (pair.positive == pair.negative) {
      if (model.labels().size() != 2) return std::nullopt;
      pair.negative = 1 - pair.positive;
    }
  }
  const Contrast* found = contrast_of(shared_.contrasts, pair);
  if (found == nullptr) return std::nullopt;
  const Contrast& contrast = *found;
  const MappedRows mapped = preprocessed(model.input(), input, model.model_features());
  Matrix slope(1, model.model_features());
  if (model.kernel() != nullptr) {
    contrast.gradients(ExplainedOutput::g, {0, 1, input, mapped.view(), 1}, slope.view());
  } else {
    const linalg::LineStep end{0, 1.0};
    const Matrix start(1, model.model_features());
    contrast.gradients_on_lines(
        mapped.view(), {start.view(), {&end, 1}}, 1,
        [&](std::size_t, std::size_t, std::span<const double> half, double factor) {
          for (std::size_t d = 0; d < half.size(); ++d) slope(0, d) = 2.0 * factor * half[d];
        });
  }
  Row result(row.size());
  pull_back(model.input(), slope.row(0), result);
  if (model.is_regressor() && own_.values[0] < *shared_.reach)
    for (double& entry : result) entry = -entry;
  for (const double entry : result)
    if (!std::isfinite(entry)) return std::nullopt;
  return result;
}

/// Projects x onto the plane through a row on the boundary, perpendicular to the gradient of g, in
/// the lengths of the model's space. Columns at the end of their range stay there.
std::optional<Row> FlipSearch::gradient_step(const ChangeSpace& space, const Row& row) const {
  const std::optional<Row> slope = gradient(row);
  if (!slope) return std::nullopt;
  std::vector<std::size_t> columns = movable(space, row);
  Row target = with_levels_of(space, row);
  double needed = 0.0;
  for (const std::size_t c : columns) {
    const std::size_t d = space.columns()[c].features[0];
    needed += (*slope)[d] * (row[d] - x_[d]);
  }
  for (int round = 0; round < 8 && !columns.empty(); ++round) {
    double squares = 0.0;
    for (const std::size_t c : columns) {
      const std::size_t d = space.columns()[c].features[0];
      squares += std::pow((*slope)[d] / space.unit_length(d), 2);
    }
    if (!(squares > 0.0) || !std::isfinite(needed / squares)) break;
    std::vector<std::size_t> inside;
    for (const std::size_t c : columns) {
      const std::size_t d = space.columns()[c].features[0];
      const double unit = space.unit_length(d);
      const ChangeSpace::Range range = space.range(c, x_);
      const double wanted = x_[d] + needed / squares * (*slope)[d] / (unit * unit);
      target[d] = std::clamp(wanted, range.lowest, range.highest);
      if (target[d] == wanted) {
        inside.push_back(c);
      } else {
        needed -= (*slope)[d] * (target[d] - x_[d]);
      }
    }
    if (inside.size() == columns.size()) break;
    columns = std::move(inside);
  }
  // A full step, or a shorter one if the boundary is curved; overshooting reaches the other side.
  const double own = space.distance(x_, row);
  for (double fraction : {1.0, 0.5, 0.2, 0.05}) {
    const Row aim = blend(row, target, fraction);
    for (const double stretch : {1.0, 1.05, 1.3}) {
      const Row from = with_levels_of(space, row);
      const Row beyond = space.constrained(x_, blend(from, aim, stretch));
      if (space.distance(x_, beyond) < own * 1.3 && flips(beyond)) {
        const Row found = nearest_on_line(from, beyond, kRounds);
        if (space.distance(x_, found) < own) return found;
        break;
      }
    }
  }
  return std::nullopt;
}

Row FlipSearch::refine(const ChangeSpace& space, Row row) const {
  double own = space.distance(x_, row);
  for (int step = 0; step < kRefinements && own > 0.0; ++step) {
    std::optional<Row> better = polyhedron_step(space, row);
    if (!better || space.distance(x_, *better) >= own * (1.0 - 1e-4))
      better = gradient_step(space, row);
    if (!better) break;
    const double distance = space.distance(x_, *better);
    if (distance >= own) break;
    const bool is_small = distance > own * (1.0 - 1e-4);
    row = std::move(*better);
    own = distance;
    if (is_small) break;
  }
  return row;
}

std::optional<Row> FlipSearch::written(const ChangeSpace& space, const Row& row) const {
  std::vector<Row> rows{space.rounded(x_, row, ChangeSpace::Rounding::nearest)};
  const Row from = with_levels_of(space, row);
  for (int exponent = 22; exponent >= 1; --exponent) {
    const Row longer = space.constrained(x_, blend(from, row, 1.0 + std::ldexp(1.0, -exponent)));
    rows.push_back(space.rounded(x_, longer, ChangeSpace::Rounding::nearest));
  }
  rows.push_back(space.rounded(x_, row, ChangeSpace::Rounding::away));
  const std::vector<bool> are_flipped = flips(rows);
  std::optional<Row> best;
  double least = 0.0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!are_flipped[r]) continue;
    const double distance = space.distance(x_, rows[r]);
    if (!best || distance < least) {
      best = rows[r];
      least = distance;
    }
  }
  return best;
}

void FlipSearch::remove_unneeded(const ChangeSpace& space, Row& row) const {
  std::vector<std::size_t> columns = space.changed(x_, row);
  std::ranges::stable_sort(columns, std::less<>(),
                           [&](std::size_t c) { return space.squared_part(c, x_, row); });
  for (const std::size_t c : columns) {
    Row without(row);
    space.copy(c, x_, without);
    if (flips(without)) row = std::move(without);
  }
}

void FlipSearch::shorten(const ChangeSpace& space, Row& row) const {
  std::vector<std::size_t> columns = space.changed(x_, row);
  std::ranges::stable_sort(columns, std::greater<>(),
                           [&](std::size_t c) { return space.squared_part(c, x_, row); });
  for (const std::size_t c : columns) {
    if (!space.columns()[c].is_number()) continue;
    Row shorter(row);
    space.copy(c, x_, shorter);
    const Row found =
        space.rounded(x_, nearest_on_line(shorter, row, kFewRounds), ChangeSpace::Rounding::away);
    if (found != row && space.distance(x_, found) < space.distance(x_, row) && flips(found))
      row = found;
  }
}

std::optional<Row> FlipSearch::finished(const ChangeSpace& space, const Row& row) const {
  Row slim(row);
  remove_unneeded(space, slim);
  std::optional<Row> result = written(space, slim);
  if (!result) return std::nullopt;
  shorten(space, *result);
  remove_unneeded(space, *result);
  return result;
}

std::vector<Row> FlipSearch::ends(const ChangeSpace& space) const {
  std::vector<Row> rows = starts(space);
  reset_levels(space, rows);
  approach(space, rows);
  sort_by_distance(space, x_, rows);
  rows.resize(std::min(rows.size(), kRefined));
  const std::size_t plain = rows.size();
  for (std::size_t r = 0; r < plain; ++r) rows.push_back(refine(space, rows[r]));
  sort_by_distance(space, x_, rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  std::vector<Row> result;
  for (std::size_t r = 0; r < rows.size() && result.size() < kFinished; ++r)
    if (std::optional<Row> end = finished(space, rows[r])) result.push_back(std::move(*end));
  sort_by_distance(space, x_, result);
  return result;
}

std::vector<Flip> FlipSearch::run(const ChangeSpace& space) const {
  std::vector<Flip> result;
  for (Row& end : ends(space)) {
    std::vector<std::size_t> changed = space.changed(x_, end);
    if (most_changes_ > 0 && changed.size() > most_changes_) continue;
    if (std::ranges::any_of(result, [&](const Flip& flip) { return flip.changed == changed; }))
      continue;
    const Outcomes outcome = shared_.predict(MatrixView<const double>(end.data(), 1, end.size()));
    if (!is_goal(outcome, 0)) continue;
    result.push_back({std::move(end), std::move(changed), 0.0,
                      outcome.classes.empty() ? 0 : outcome.classes[0],
                      outcome.values.empty() ? 0.0 : outcome.values[0]});
    result.back().distance = space.distance(x_, result.back().row);
  }
  return result;
}

}  // namespace bisector::detail
