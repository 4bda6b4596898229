#include "core/evaluate/flipping_curve.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/linalg/vectors.h"

namespace bisector {

std::vector<std::size_t> measured_removals(std::size_t features) {
  const std::size_t step = features <= 10 ? 1 : features <= 50 ? 2 : 5;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count <= features; count += step) counts.push_back(count);
  return counts;
}

}  // namespace bisector

namespace bisector::detail {

double agreement(std::span<const std::size_t> classes, std::size_t original) {
  double sum = 0.0;
  for (const std::size_t c : classes) sum += c == original ? 1.0 : -1.0;
  return sum / static_cast<double>(classes.size());
}

double normalized_area(std::span<const double> x, std::span<const double> curve) {
  double area = 0.0;
  for (std::size_t m = 1; m < x.size(); ++m)
    area += (x[m] - x[m - 1]) * (curve[m] + curve[m - 1]) / 2.0;
  return area / (x.back() - x.front());
}

MeanOfRows mean_of_rows(std::span<const double> values) {
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1.0) / count)
                                  : std::numeric_limits<double>::quiet_NaN()};
}

void summarize(PixelFlippingResult& result) {
  result.aufc.resize(result.curves.rows());
  for (std::size_t r = 0; r < result.aufc.size(); ++r)
    result.aufc[r] = normalized_area(result.curve_x, result.curves.row(r));
  const MeanOfRows mean = mean_of_rows(result.aufc);
  result.mean = mean.mean;
  result.standard_error = mean.standard_error;
  result.mean_curve = linalg::row_mean(result.curves.view());
}

}  // namespace bisector::detail
