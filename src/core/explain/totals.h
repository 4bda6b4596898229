// Attribution totals of a row: base value, relevance and remainder add up to the output, in the
// unit of the explanation. This is the only place that derives them.
#pragma once

#include <cstddef>

#include "bisector/explain.h"

namespace bisector::detail {

/// What a method explained at a row.
struct Explained {
  double output;    // the sum of which relevance and base value are parts
  double decision;  // the same in the model's own unit
};

/// Sets output and remainder of row r and converts the row to the explanation's unit. On entry its
/// relevance and base value are in the unit of `explained.output`. What a path rule misses becomes
/// a correction of the relevance, within limits; the rest, and all of it for other rules, becomes
/// the remainder.
void finish_row(Explanation& result, std::size_t r, const Explained& explained, bool is_path);

}  // namespace bisector::detail
