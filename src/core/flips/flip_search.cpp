#include "core/flips/flip_search.h"

#include <algorithm>
#include <cmath>

namespace bisector::detail {
namespace {

constexpr std::size_t kStarts = 6, kNeighborStarts = 8;  // that are refined
constexpr std::size_t kFinished = 4;                     // refined rows that are rounded, at most
/// Refined rows are the same if they are closer than this fraction of their distance.
constexpr double kSame = 1e-3;

/// Rounded rows, nearest first. A row that is farther than a rounded one is not rounded unless more
/// answers are asked for.
std::vector<Row> finished_rows(const FlipSearch& search, const std::vector<Row>& rows,
                               std::size_t count) {
  std::vector<Row> result;
  std::vector<const Row*> tried;
  double least = std::numeric_limits<double>::infinity();
  for (const Row& row : rows) {
    if (tried.size() == kFinished && !result.empty()) break;
    const double distance = search.distance(row);
    if (result.size() >= count && distance >= least) break;
    const bool is_known = std::ranges::any_of(tried, [&](const Row* other) {
      return search.space.distance(*other, row) <= kSame * distance;
    });
    if (is_known && !result.empty()) continue;
    tried.push_back(&row);
    if (std::optional<Row> end = finished_flip(search, row)) {
      least = std::min(least, search.distance(*end));
      result.push_back(std::move(*end));
    }
  }
  search.space.sort_by_distance(search.x(), result);
  return result;
}

}  // namespace

std::vector<Flip> search_flips(const FlipSearch& search, std::size_t count) {
  const RowGoal& goal = search.goal;
  std::vector<Row> rows =
      flip_starts(search, goal.neighbors() != nullptr ? kNeighborStarts : kStarts);
  for (Row& row : refined_flips(search, rows)) rows.push_back(std::move(row));
  search.space.sort_by_distance(goal.x(), rows);
  std::vector<Flip> result;
  for (Row& end : finished_rows(search, rows, count)) {
    std::vector<std::size_t> changed = search.space.changed(goal.x(), end);
    if (search.most_changes > 0 && changed.size() > search.most_changes) continue;
    if (std::ranges::any_of(result, [&](const Flip& flip) { return flip.changed == changed; }))
      continue;
    const Outcomes outcome = goal.outcome(end);
    if (!goal.is_goal(outcome, 0)) continue;
    const double distance = search.distance(end);
    result.push_back({std::move(end), std::move(changed), distance,
                      outcome.classes.empty() ? 0 : outcome.classes[0],
                      outcome.values.empty() ? 0.0 : outcome.values[0]});
  }
  return result;
}

namespace {

constexpr int kMostShortenings = 32, kMostRemovals = 3;
/// A number is fine if its last digit is below this fraction of the distance.
constexpr double kFine = 1e-3;

class Ending {
 public:
  /// Unless `is_exact`, predictions at equal distances from two points may differ.
  Ending(const FlipSearch& search, bool is_exact)
      : search_(search), space_(search.space), x_(search.x()), is_exact_(is_exact) {}

  std::optional<Row> of(const Row& row) const {
    std::optional<Row> result = written(row);
    Row slim(row);
    if (!result && remove_unneeded(slim)) result = written(slim);
    // Without a change, the others may be longer than needed.
    for (int round = 0; result && round < kMostRemovals; ++round) {
      shorten(*result);
      shorten_fine(*result);
      if (!remove_unneeded(*result)) break;
    }
    return result;
  }

 private:
  std::vector<bool> flips(const std::vector<Row>& rows) const {
    return is_exact_ ? search_.goal.flips(rows) : search_.goal.likely_flips(rows);
  }

  /// The nearest rounded row that flips: slightly longer changes are tried as well.
  std::optional<Row> written(const Row& row) const {
    std::vector<Row> rows{space_.rounded(x_, row, ChangeSpace::Rounding::nearest)};
    const Row from = search_.from(row);
    for (int exponent = 22; exponent >= 1; --exponent) {
      const Row longer = space_.constrained(x_, blend(from, row, 1.0 + std::ldexp(1.0, -exponent)));
      rows.push_back(space_.rounded(x_, longer, ChangeSpace::Rounding::nearest));
    }
    rows.push_back(space_.rounded(x_, row, ChangeSpace::Rounding::away));
    const auto repeated = std::ranges::unique(rows);
    rows.erase(repeated.begin(), repeated.end());
    return nearest_flipped(rows, std::numeric_limits<double>::infinity());
  }

  /// The nearest of these rows that flips and is nearer than `least`.
  std::optional<Row> nearest_flipped(const std::vector<Row>& rows, double least) const {
    const std::vector<bool> are_flipped = flips(rows);
    std::optional<Row> best;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!are_flipped[r]) continue;
      const double distance = search_.distance(rows[r]);
      if (!(distance < least)) continue;
      best = rows[r];
      least = distance;
    }
    return best;
  }

  /// Takes changes back as long as the row flips without one of them, the smallest first; false:
  /// all are needed.
  bool remove_unneeded(Row& row) const {
    bool is_shorter = false;
    while (true) {
      std::vector<std::size_t> columns = space_.changed(x_, row);
      std::ranges::stable_sort(columns, std::less<>(),
                               [&](std::size_t c) { return space_.squared_part(c, x_, row); });
      std::vector<Row> without(columns.size(), row);
      for (std::size_t i = 0; i < columns.size(); ++i) space_.copy(columns[i], x_, without[i]);
      const std::vector<bool> are_flipped = flips(without);
      bool is_changed = false;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!are_flipped[i]) continue;
        Row next(row);
        space_.copy(columns[i], x_, next);
        if (is_changed && !flips({next})[0]) continue;
        row = std::move(next);
        is_changed = is_shorter = true;
      }
      if (!is_changed) return is_shorter;
    }
  }

  /// True for levels, and for numbers whose last digit matters for the distance.
  bool is_coarse(std::size_t column, double distance) const {
    const FlipColumn& own = space_.columns()[column];
    return !own.is_number() ||
           space_.last_digit(column) * space_.unit_length(own.features[0]) > kFine * distance;
  }

  /// Moves coarse numbers back by their last digit as long as the row flips.
  void shorten(Row& row) const {
    for (int round = 0; round < kMostShortenings; ++round) {
      const double own = search_.distance(row);
      std::vector<Row> shorter;
      for (const std::size_t c : space_.changed(x_, row)) {
        if (space_.columns()[c].is_number() && is_coarse(c, own))
          shorter.push_back(space_.one_digit_back(c, x_, row));
      }
      std::optional<Row> best = nearest_flipped(shorter, own);
      if (!best) return;
      row = std::move(*best);
    }
  }

  /// Moves the other numbers back together: after rounding, the coarse ones may be longer than
  /// needed.
  void shorten_fine(Row& row) const {
    const double own = search_.distance(row);
    Row low(row), high(row);
    for (const std::size_t c : space_.changed(x_, row))
      if (!is_coarse(c, own)) space_.copy(c, x_, low);
    if (low == row || low == x_) return;
    constexpr int kRounds = 3, kParts = 8;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Row> points;
      for (int p = 0; p < kParts; ++p) points.push_back(blend(low, high, p / double{kParts}));
      const std::vector<bool> are_flipped = flips(points);
      const auto first =
          static_cast<std::size_t>(std::ranges::find(are_flipped, true) - are_flipped.begin());
      if (first < points.size()) high = points[first];
      if (first > 0) low = points[first - 1];
    }
    if (const auto found =
            nearest_flipped({space_.rounded(x_, high, ChangeSpace::Rounding::away)}, own))
      row = *found;
  }

  const FlipSearch& search_;
  const ChangeSpace& space_;
  const Row& x_;
  bool is_exact_;
};

}  // namespace

std::optional<Row> finished_flip(const FlipSearch& search, const Row& row) {
  if (search.goal.neighbors() != nullptr) {
    std::optional<Row> result = Ending(search, false).of(row);
    if (result && search.goal.flips(*result)) return result;
  }
  return Ending(search, true).of(row);
}

}  // namespace bisector::detail
