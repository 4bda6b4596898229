// What is said about clouds of points, with intervals by resampling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bisector::paper {

/// Pearson's correlation; zero where one of the two does not vary.
double correlation(std::span<const double> x, std::span<const double> y);

/// y ~ level + slope z + curvature z^2 by least squares, with z = (x - mean) / deviation.
struct Parabola {
  double level, slope, curvature;
  double mean, deviation;  // of x

  /// Where the parabola turns, in the unit of x.
  double turn() const { return mean - deviation * slope / (2.0 * curvature); }
};
Parabola fit_parabola(std::span<const double> x, std::span<const double> y);

/// The slope of the straight line through the points, per deviation of x.
double fit_slope(std::span<const double> x, std::span<const double> y);

struct Interval {
  double value, low, high;
  bool is_below(double limit) const { return high < limit; }
  bool is_above(double limit) const { return low > limit; }
};

/// The statistic of all points, and the middle 95 % of its values on `rounds` samples of as many
/// points, drawn with replacement.
using Statistic = std::function<double(std::span<const double>, std::span<const double>)>;
Interval bootstrap(const Statistic& statistic, std::span<const double> x, std::span<const double> y,
                   std::uint64_t seed, std::size_t rounds = 1000);

/// Means of x and y in `bins` parts of equally many points, by x ascending.
struct BinnedMeans {
  std::vector<double> x, y;
};
BinnedMeans binned_means(std::span<const double> x, std::span<const double> y, std::size_t bins);

}  // namespace bisector::paper
