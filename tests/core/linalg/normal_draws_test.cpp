#include "core/util/draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bisector::linalg {
namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// The counts of 40 intervals, and of the tails beyond 3.6541..., which have their own method.
TEST(FillNormal, FollowsTheNormalDistribution) {
  constexpr std::size_t draws = 4000000;
  Random random(20240607);
  std::vector<double> values(draws);
  util::fill_normal(random, values);
  std::vector<double> edges{-4.2};
  while (edges.back() < 4.15) edges.push_back(edges.back() + 0.21);
  std::vector<double> counts(edges.size() + 1, 0.0);
  for (const double value : values)
    counts[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) -
                                    edges.begin())] += 1.0;
  double chi_square = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double low = i == 0 ? 0.0 : normal_cdf(edges[i - 1]);
    const double high = i == edges.size() ? 1.0 : normal_cdf(edges[i]);
    const double mean = (high - low) * draws;
    chi_square += (counts[i] - mean) * (counts[i] - mean) / mean;
  }
  // 41 degrees of freedom: above 74.7 in one run of a thousand.
  EXPECT_LT(chi_square, 74.7);
}

TEST(FillNormal, HasTheMomentsOfTheNormalDistribution) {
  Random random(5);
  std::vector<double> values(1000000);
  util::fill_normal(random, values);
  double moments[5] = {};
  for (const double value : values) {
    for (int p = 1; p <= 4; ++p) moments[p] += std::pow(value, p) / 1e6;
  }
  // Five standard errors each.
  EXPECT_NEAR(moments[1], 0.0, 5.0 * 1e-3);
  EXPECT_NEAR(moments[2], 1.0, 5.0 * std::sqrt(2.0) * 1e-3);
  EXPECT_NEAR(moments[3], 0.0, 5.0 * std::sqrt(15.0) * 1e-3);
  EXPECT_NEAR(moments[4], 3.0, 5.0 * std::sqrt(96.0) * 1e-3);
}

}  // namespace
}  // namespace bisector::linalg
