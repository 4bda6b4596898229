#include "core/evaluate/imputation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/random.h"
#include "core/evaluate/testing_data.h"
#include "reference/flipping.h"

namespace bisector {

using namespace detail;

namespace {

TEST(PointDistribution, PicksPointsAsOftenAsTheirProbabilitySays) {
  const Matrix points = two_clouds(20, 4, 1);
  const DensityEstimate density(points.view());
  const DonorRows background(density);
  const Matrix x = normal_rows(1, 4, 2);
  KeptDistances kept(points.rows());
  kept.keep(background, 1, x(0, 1));
  kept.keep(background, 3, x(0, 3));
  PointDistribution distribution;
  distribution.reset(background, kept);

  constexpr std::size_t draws = 200000;
  Random random(3);
  std::vector<double> counts(points.rows(), 0.0);
  for (std::size_t i = 0; i < draws; ++i) counts[distribution.pick(random.uniform())] += 1.0;

  const auto expected = reference::point_probabilities(points, density.bandwidth(), x.row(0),
                                                       {false, true, false, true});
  double chi_square = 0.0;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    const double mean = draws * expected[n];
    chi_square += (counts[n] - mean) * (counts[n] - mean) / mean;
  }
  // 19 degrees of freedom: above 43.8 in one run of a thousand.
  EXPECT_LT(chi_square, 43.8);
}

TEST(PointDistribution, IsUniformWhereNothingIsKept) {
  const Matrix points = normal_rows(8, 3, 4);
  const DensityEstimate density(points.view());
  const DonorRows background(density);
  PointDistribution distribution;
  distribution.reset(background, KeptDistances(8));
  for (std::size_t n = 0; n < 8; ++n) {
    EXPECT_EQ(distribution.pick(static_cast<double>(n) / 8.0), n);
    EXPECT_EQ(distribution.pick(std::nextafter(static_cast<double>(n + 1) / 8.0, 0.0)), n);
  }
}

// Far from every point all kernels underflow, and the nearest must still be found.
TEST(PointDistribution, PicksTheNearestPointOfAFarAwayRow) {
  const Matrix points(3, 2, {0.0, 0.0, 1.0, 0.0, 0.0, 1.0});
  const DensityEstimate density(points.view());
  const DonorRows background(density);
  for (const double far : {1e3, 1e60, 1e99}) {
    KeptDistances kept(3);
    kept.keep(background, 0, far);
    PointDistribution distribution;
    distribution.reset(background, kept);
    const double last = std::nextafter(1.0, 0.0);
    if (far < 1e10) {
      EXPECT_EQ(distribution.pick(0.0), 1u);
      EXPECT_EQ(distribution.pick(last), 1u);
    } else {  // the points' own distances are below the rounding: all are equally near
      EXPECT_EQ(distribution.pick(0.0), 0u);
      EXPECT_EQ(distribution.pick(last), 2u);
    }
  }
}

/// Each of them twice, so that the bandwidth is low. What is kept below is the first one's.
Matrix three_points() {
  return Matrix(6, 3,
                {1.0, -2.0, 3.0, 1.0, -2.0, 3.0, 4.0, 50.0, 6.0, 4.0, 50.0, 6.0, 7.0, 80.0, 9.0,
                 7.0, 80.0, 9.0});
}

/// One imputed row of (-1, -2, -3) without its first and last feature.
std::vector<double> imputed(const DensityEstimate& density, Imputer imputer, double uniform) {
  const std::vector<double> x{-1.0, -2.0, -3.0};
  const std::vector<std::size_t> removed{2, 0};
  const DonorRows background(density, imputer);
  KeptDistances kept(density.points().rows());
  kept.keep(background, 1, x[1]);
  ImputationWorkspace workspace;
  workspace.draws.uniforms = {uniform};
  workspace.draws.noise = Matrix(1, 3, {0.5, 99.0, -1.0});
  Matrix row(1, 3);
  impute(background, x, removed, kept, workspace, row.view());
  return row.values();
}

TEST(Impute, ReplacesTheRemovedFeaturesOnly) {
  const DensityEstimate density(three_points());
  for (const double uniform : {0.0, 0.5, 0.99}) {
    const auto row = imputed(density, Imputer::conditional, uniform);
    EXPECT_DOUBLE_EQ(row[0], 1.0 + 0.5 * density.bandwidth());
    EXPECT_EQ(row[1], -2.0);
    EXPECT_DOUBLE_EQ(row[2], 3.0 - density.bandwidth());
  }
}

TEST(Impute, MarginalTakesAnyPointAsItIs) {
  const DensityEstimate density(three_points());
  EXPECT_EQ(imputed(density, Imputer::marginal, 0.1), std::vector<double>({1.0, -2.0, 3.0}));
  EXPECT_EQ(imputed(density, Imputer::marginal, 0.4), std::vector<double>({4.0, -2.0, 6.0}));
  EXPECT_EQ(imputed(density, Imputer::marginal, std::nextafter(1.0, 0.0)),
            std::vector<double>({7.0, -2.0, 9.0}));
}

TEST(Impute, MeanTakesTheMeanOfThePoints) {
  const DensityEstimate density(three_points());
  EXPECT_EQ(imputed(density, Imputer::mean, 0.1), std::vector<double>({4.0, -2.0, 6.0}));
}

TEST(Draws, DependOnSeedRowAndMeasurementOnly) {
  Draws a, b;
  b.fill(1, 2, 3, 4, 9);
  a.fill(5, 6, 7, 10, 20);  // another shape before
  a.fill(1, 2, 3, 4, 9);
  EXPECT_EQ(a.uniforms, b.uniforms);
  EXPECT_EQ(a.noise, b.noise);
  for (const auto& [seed, row, measurement] :
       {std::tuple{2u, 2u, 3u}, std::tuple{1u, 3u, 2u}, std::tuple{1u, 2u, 4u}}) {
    b.fill(seed, row, measurement, 4, 9);
    EXPECT_NE(a.uniforms, b.uniforms);
  }
}

}  // namespace
}  // namespace bisector
