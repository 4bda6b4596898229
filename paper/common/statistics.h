// Statistics of points, with confidence intervals by resampling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bisector::paper {

double mean(std::span<const double> values);

struct Estimate {
  double mean, standard_error;
};
/// The mean of the values with its standard error.
Estimate estimate(std::span<const double> values);

/// Pearson's correlation; 0 if x or y is constant.
double correlation(std::span<const double> x, std::span<const double> y);

/// y ~ level + slope z + curvature z^2 by least squares, with z = (x - mean) / deviation.
struct Parabola {
  double level, slope, curvature;
  double mean, deviation;  // of x

  /// The x of the extremum.
  double turn() const { return mean - deviation * slope / (2.0 * curvature); }
};
Parabola fit_parabola(std::span<const double> x, std::span<const double> y);

/// The slope of the regression line, per standard deviation of x.
double fit_slope(std::span<const double> x, std::span<const double> y);

struct Interval {
  double value, low, high;
  bool is_below(double limit) const { return high < limit; }
  bool is_above(double limit) const { return low > limit; }
};

/// The statistic of all points, with its 95 % bootstrap interval.
using Statistic = std::function<double(std::span<const double>, std::span<const double>)>;
Interval bootstrap(const Statistic& statistic, std::span<const double> x, std::span<const double> y,
                   std::uint64_t seed, std::size_t rounds = 1000);

}  // namespace bisector::paper
