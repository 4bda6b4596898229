// From the classes of imputed rows to curves and their areas.
#pragma once

#include <cstddef>
#include <span>

#include "bisector/evaluate.h"

namespace bisector::detail {

/// The mean over the samples of +1 if the class is `original`, else -1.
double agreement(std::span<const std::size_t> classes, std::size_t original);

/// The trapezoid area under the curve divided by its length.
double normalized_area(std::span<const double> x, std::span<const double> curve);

/// Over rows; the standard error of the mean is NaN for a single row.
struct MeanOfRows {
  double mean, standard_error;
};
MeanOfRows mean_of_rows(std::span<const double> values);

/// Sets what follows from the curves: areas, their mean and its standard error, the mean curve.
void summarize(PixelFlippingResult& result);

}  // namespace bisector::detail
