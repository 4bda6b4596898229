// Attribution totals of a row: base value, relevance and remainder add up to the output, in the
// unit of the explanation. This is the only place that derives them.
#pragma once

#include <cstddef>

#include "bisector/explain.h"
#include "core/explain/units.h"
#include "core/methods/attribution.h"

namespace bisector::detail {

/// What finish_row has to know about a row.
struct RowTotals {
  double explained = 0.0;  // in the unit g: what relevance and base value are parts of
  Accounting accounting = {Conversion::none, false};
  // Other units:
  double output = 0.0;  // what predict prints
  double base = 0.0;    // of a conversion: the base value; without one: the level, which is added
  UnconvertedRow row = {};  // `difference` is set from output and base value
  double limit = 0.0;       // F of the contrast
  bool is_alike = false;    // nearly all reference rows have the same output
};

/// Sets output, base value and remainder of row r and converts its relevance to the explanation's
/// unit. On entry the relevance and the base value are in the unit of `explained`. What a path rule
/// misses becomes a correction of the relevance, within limits; the rest, and all of it for other
/// rules, becomes the remainder.
void finish_row(Explanation& result, std::size_t r, const RowTotals& totals);

}  // namespace bisector::detail
