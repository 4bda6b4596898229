#include "core/flips/flip_search.h"

#include <algorithm>

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

}  // namespace bisector::detail
