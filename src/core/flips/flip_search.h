// The search for the flips of one row: starts on the boundary, refinement, rounding.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bisector/flip.h"
#include "core/flips/row_goal.h"

namespace bisector::detail {

struct FlipSearch {
  const RowGoal& goal;
  const ChangeSpace& space;
  std::size_t most_changes;  // changed columns; 0: any number

  const Row& x() const { return goal.x(); }
  double distance(const Row& row) const { return space.distance(x(), row); }
  /// x with the levels of `row`.
  Row from(const Row& row) const { return space.with_levels(x(), row); }
};

/// Flipped rows close to the boundary, at most `count` in different directions, nearest first.
std::vector<Row> flip_starts(const FlipSearch& search, std::size_t count);

/// Flipped rows to which a local search on the boundary leads from the starts, with the starts'
/// levels. Starts that lead to the same row may share it.
std::vector<Row> refined_flips(const FlipSearch& search, const std::vector<Row>& starts);

/// A flipped row as it is written: rounded, and without unneeded changes. Nothing if rounding ends
/// the flip.
std::optional<Row> finished_flip(const FlipSearch& search, const Row& row);

/// Answers with different sets of changed columns, nearest first. At least `count` different ends
/// of the search are rounded, if the search has as many.
std::vector<Flip> search_flips(const FlipSearch& search, std::size_t count);

}  // namespace bisector::detail
