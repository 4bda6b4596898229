// The account of a row: base, relevance and remainder add up to what was explained, in the unit
// that was asked for.
#pragma once

#include <cstddef>

#include "bisector/explain.h"

namespace bisector::detail {

/// What a method explained at a row.
struct Explained {
  double output;    // of which relevance and base are parts
  double decision;  // the same in the model's own unit
};

/// Closes the account of row r, whose relevance and base are in the unit of the output. What a path
/// rule misses is a correction; of other rules, and beyond what a correction may be, the remainder.
void account(Explanation& result, std::size_t r, const Explained& explained, bool is_path,
             Unit unit);

}  // namespace bisector::detail
