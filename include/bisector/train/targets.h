// What a model learns: classes from a column of text or numbers.
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

/// A class for every distinct value, in sorted order: as numbers where all values are numbers (and
/// then "1" and "1.0" are the same, named as the first row has it), else as text. Throws
/// InvalidInput where there is only one value.
BISECTOR_EXPORT ClassTarget sorted_classes(std::span<const std::string> values);

/// `positive` against the rest, which is called "not <positive>", or by its own name where it has
/// only one. Throws InvalidInput where no row has the value, or all have.
BISECTOR_EXPORT ClassTarget one_against_rest(std::span<const std::string> values,
                                             const std::string& positive);

/// "above" for values > threshold, else "not above". Throws InvalidInput where one of the two has
/// no row.
BISECTOR_EXPORT ClassTarget classes_above(std::span<const double> values, double threshold);

/// The value below which `percent` (0 to 100) of the values lie, interpolated linearly between the
/// two nearest, as NumPy does.
BISECTOR_EXPORT double percentile(std::span<const double> values, double percent);

/// A threshold as people write it: "median", "p90" (a percentile) or a number.
BISECTOR_EXPORT double parse_threshold(std::string_view text, std::span<const double> values);

}  // namespace bisector
