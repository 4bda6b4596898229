#include "common/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/random.h"
#include "bisector/train/targets.h"

namespace bisector::paper {
namespace {

double deviation_of(std::span<const double> x, double mean) {
  double sum = 0.0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

}  // namespace

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Estimate estimate(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double center = mean(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - center) * (value - center);
  return {center, std::sqrt(squares / (count - 1.0) / count)};
}

double correlation(std::span<const double> x, std::span<const double> y) {
  const double mx = paper::mean(x), my = paper::mean(y);
  const double dx = deviation_of(x, mx), dy = deviation_of(y, my);
  if (dx == 0.0 || dy == 0.0) return 0.0;
  double sum = 0.0;
  for (std::size_t n = 0; n < x.size(); ++n) sum += (x[n] - mx) * (y[n] - my);
  return sum / (static_cast<double>(x.size()) * dx * dy);
}

Parabola fit_parabola(std::span<const double> x, std::span<const double> y) {
  const double mean = paper::mean(x), deviation = deviation_of(x, mean), my = paper::mean(y);
  // With z of mean 0 and variance 1 the normal equations are two by two.
  double third = 0.0, fourth = 0.0, zy = 0.0, zzy = 0.0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double z = (x[n] - mean) / deviation, v = y[n] - my;
    third += z * z * z;
    fourth += z * z * z * z;
    zy += z * v;
    zzy += z * z * v;
  }
  const auto count = static_cast<double>(x.size());
  third /= count, fourth /= count, zy /= count, zzy /= count;
  const double spread = fourth - 1.0;  // of z^2
  const double curvature = (zzy - third * zy) / (spread - third * third);
  return {my - curvature, zy - third * curvature, curvature, mean, deviation};
}

double fit_slope(std::span<const double> x, std::span<const double> y) {
  const double my = paper::mean(y);
  return correlation(x, y) * deviation_of(y, my);
}

Interval bootstrap(const Statistic& statistic, std::span<const double> x, std::span<const double> y,
                   std::uint64_t seed, std::size_t rounds) {
  std::vector<double> values, xs(x.size()), ys(x.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    Random random(derived_seed(seed, round));
    for (std::size_t n = 0; n < x.size(); ++n) {
      const std::size_t pick = random.below(x.size());
      xs[n] = x[pick];
      ys[n] = y[pick];
    }
    values.push_back(statistic(xs, ys));
  }
  return {statistic(x, y), percentile(values, 2.5), percentile(values, 97.5)};
}

}  // namespace bisector::paper
