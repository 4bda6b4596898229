// Scaling of training data. Default parameters of models and rules assume scaled data.
#pragma once

#include <cstdint>
#include <optional>

#include "bisector/affine_map.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

enum class Scaling {
  standard_median,  // mean 0, standard deviation 1, then divided by the median distance of rows
  standard,         // mean 0 and standard deviation 1
  median,           // mean 0, then divided by the median distance of rows
  range,            // from 0 to 1, as for Gower's distance
  none
};

struct FittedScaling {
  AffineMap map;
  /// The median Euclidean distance of mapped rows; nothing if it is zero, and for ranges.
  std::optional<double> median_distance;
};

/// The median distance is that of all rows, or of 5,000 rows drawn with `seed`. The standard
/// deviation is that of the population, and one for a constant feature. Throws InvalidInput for
/// rows that are not finite, and if the median distance is zero but rows are divided by it.
BISECTOR_EXPORT FittedScaling fit_scaling(MatrixView<const double> rows, Scaling scaling,
                                          std::uint64_t seed = 0, unsigned threads = 0);

/// True for rows that look like images: at least 64 columns; all values are integers from 0 to 255,
/// or all are from 0 to 1 and not only 0 and 1; at least a quarter of the columns come near the
/// largest value. Equal standard deviations would enlarge pixels at the edge, which hardly vary, so
/// Scaling::median is better for images.
BISECTOR_EXPORT bool look_like_pixels(MatrixView<const double> rows);

}  // namespace bisector
