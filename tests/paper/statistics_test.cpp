#include "common/statistics.h"

#include <gtest/gtest.h>

#include "bisector/random.h"

namespace bisector::paper {
namespace {

TEST(Statistics, FitRecoversAParabola) {
  Random random(3);
  std::vector<double> x, y;
  for (int n = 0; n < 50; ++n) {
    x.push_back(10.0 * random.uniform());
    y.push_back(1.5 - 0.25 * (x.back() - 4.0) * (x.back() - 4.0));
  }
  const Parabola parabola = fit_parabola(x, y);
  EXPECT_NEAR(parabola.curvature, -0.25 * parabola.deviation * parabola.deviation, 1e-9);
  EXPECT_NEAR(parabola.turn(), 4.0, 1e-9);
  const double z = (7.0 - parabola.mean) / parabola.deviation;
  EXPECT_NEAR(parabola.level + parabola.slope * z + parabola.curvature * z * z, 1.5 - 0.25 * 9.0,
              1e-9);
}

TEST(Statistics, SlopeAndCorrelationOfALine) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {5, 3, 1, -1}, flat = {2, 2, 2, 2};
  EXPECT_NEAR(correlation(x, y), -1.0, 1e-12);
  EXPECT_NEAR(fit_slope(x, y), -2.0 * std::sqrt(1.25), 1e-12);
  EXPECT_EQ(correlation(x, flat), 0.0);
}

// The mean of 400 standard normal numbers: the interval is about +-1.96 / 20 wide.
TEST(Statistics, BootstrapIntervalHasTheRightWidth) {
  Random random(5);
  std::vector<double> x(400);
  for (double& value : x) value = random.normal();
  const auto mean = [](std::span<const double> values, std::span<const double>) {
    double sum = 0.0;
    for (const double value : values) sum += value / static_cast<double>(values.size());
    return sum;
  };
  const Interval interval = bootstrap(mean, x, x, 1);
  EXPECT_LT(interval.low, interval.value);
  EXPECT_GT(interval.high, interval.value);
  EXPECT_NEAR(interval.high - interval.low, 2 * 1.96 / 20, 0.03);
  const Interval again = bootstrap(mean, x, x, 1);
  EXPECT_EQ(interval.low, again.low);
  EXPECT_EQ(interval.high, again.high);
}

}  // namespace
}  // namespace bisector::paper
