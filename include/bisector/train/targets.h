// Training targets: classes of a column of text or numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// The class of every row. Of two labels the second is the positive one, as in scikit-learn.
struct ClassTarget {
  std::vector<std::size_t> classes;  // one per row, into labels
  std::vector<std::string> labels;   // at least two, each with a row

  bool operator==(const ClassTarget&) const = default;
};

/// One class for every distinct value. If all values are numbers, they are sorted as numbers, and
/// "1" and "1.0" are the same class with the name that comes first; otherwise they are sorted as
/// text. Throws InvalidInput if there is only one value.
BISECTOR_EXPORT ClassTarget sorted_classes(std::span<const std::string> values);

/// Two classes: `positive`, and "not <positive>" or the name of the only other value. Throws
/// InvalidInput if no row or every row has the value.
BISECTOR_EXPORT ClassTarget one_against_rest(std::span<const std::string> values,
                                             const std::string& positive);

/// "above" for values > threshold, otherwise "not above". Throws InvalidInput if one of the two has
/// no row.
BISECTOR_EXPORT ClassTarget classes_above(std::span<const double> values, double threshold);

/// The value below which `percent` (0 to 100) of the values lie, interpolated linearly between the
/// two nearest, as NumPy does.
BISECTOR_EXPORT double percentile(std::span<const double> values, double percent);

/// Parses a threshold: "median", "p90" (a percentile) or a number.
BISECTOR_EXPORT double parse_threshold(std::string_view text, std::span<const double> values);

}  // namespace bisector
