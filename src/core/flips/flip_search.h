// The search for the flips of one row.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/flip.h"
#include "core/flips/row_goal.h"

namespace bisector::detail {

/// Answers with different sets of changed columns, nearest first. At least `count` different ends
/// of the search are rounded, if the search has as many.
std::vector<Flip> search_flips(const RowGoal& goal, const ChangeSpace& space,
                               std::size_t most_changes, std::size_t count);

}  // namespace bisector::detail
