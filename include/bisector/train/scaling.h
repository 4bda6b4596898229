// Scaling of training data, to which a model's parameters and the explanation's heuristics refer.
#pragma once

#include <cstdint>
#include <optional>

#include "bisector/affine_map.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

enum class Scaling {
  standard_median,  // mean 0 and deviation 1, then divided by the median distance between rows
  standard,         // mean 0 and deviation 1
  median,           // mean 0, then divided by the median distance between rows
  range,            // from 0 to 1, as Gower's distance has its numbers
  none
};

struct FittedScaling {
  AffineMap map;
  /// Between rows after the map, Euclidean; nothing where it is zero, and for ranges.
  std::optional<double> median_distance;
};

/// The median distance is that of all rows, or of 5,000 drawn with `seed`. The deviation is the
/// population's, and one for a constant feature. Throws InvalidInput for rows that are not finite,
/// and where the median distance is to be divided by and is zero: then more than half of all pairs
/// of rows are equal.
BISECTOR_EXPORT FittedScaling fit_scaling(MatrixView<const double> rows, Scaling scaling,
                                          std::uint64_t seed = 0, unsigned threads = 0);

/// True for rows that look like pictures: 64 columns or more, all of one unit. Every value is a
/// whole number from 0 to 255, or every one from 0 to 1 with others than these two, and at least a
/// quarter of the columns come near the largest value. To give each pixel the same deviation would
/// blow up those at the edge, which hardly vary, so Scaling::median is better there.
BISECTOR_EXPORT bool look_like_pixels(MatrixView<const double> rows);

}  // namespace bisector
