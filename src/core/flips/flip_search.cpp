#include "core/flips/flip_search.h"

#include <algorithm>

#include "core/flips/flip_ending.h"
#include "core/flips/flip_refinement.h"
#include "core/flips/flip_starts.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kStarts = 6, kNeighborStarts = 8;  // that are refined
constexpr std::size_t kFinished = 4;                     // refined rows that are rounded, at most
/// Refined rows are the same if they are closer than this fraction of their distance.
constexpr double kSame = 1e-3;

/// Rounded rows, nearest first. A row that is farther than a rounded one is not rounded unless more
/// answers are asked for.
std::vector<Row> finished_rows(const RowGoal& goal, const ChangeSpace& space,
                               const std::vector<Row>& rows, std::size_t count) {
  FlipEnding ending(goal, space);
  std::vector<Row> result;
  std::vector<const Row*> tried;
  double least = std::numeric_limits<double>::infinity();
  for (const Row& row : rows) {
    if (tried.size() == kFinished && !result.empty()) break;
    const double distance = space.distance(goal.x(), row);
    if (result.size() >= count && distance >= least) break;
    const bool is_known = std::ranges::any_of(
        tried, [&](const Row* other) { return space.distance(*other, row) <= kSame * distance; });
    if (is_known && !result.empty()) continue;
    tried.push_back(&row);
    if (std::optional<Row> end = ending.finished(row)) {
      least = std::min(least, space.distance(goal.x(), *end));
      result.push_back(std::move(*end));
    }
  }
  space.sort_by_distance(goal.x(), result);
  return result;
}

}  // namespace

std::vector<Flip> search_flips(const RowGoal& goal, const ChangeSpace& space,
                               std::size_t most_changes, std::size_t count) {
  std::vector<Row> rows = FlipStarts(goal, space, most_changes)
                              .find(goal.neighbors() != nullptr ? kNeighborStarts : kStarts);
  FlipRefinement refinement(goal, space, most_changes);
  const std::size_t plain = rows.size();
  for (std::size_t r = 0; r < plain; ++r) rows.push_back(refinement.refine(rows[r]));
  space.sort_by_distance(goal.x(), rows);
  std::vector<Flip> result;
  for (Row& end : finished_rows(goal, space, rows, count)) {
    std::vector<std::size_t> changed = space.changed(goal.x(), end);
    if (most_changes > 0 && changed.size() > most_changes) continue;
    if (std::ranges::any_of(result, [&](const Flip& flip) { return flip.changed == changed; }))
      continue;
    const Outcomes outcome = goal.outcome(end);
    if (!goal.is_goal(outcome, 0)) continue;
    const double distance = space.distance(goal.x(), end);
    result.push_back({std::move(end), std::move(changed), distance,
                      outcome.classes.empty() ? 0 : outcome.classes[0],
                      outcome.values.empty() ? 0.0 : outcome.values[0]});
  }
  return result;
}

}  // namespace bisector::detail
