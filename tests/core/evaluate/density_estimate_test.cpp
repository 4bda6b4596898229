#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/evaluate/testing_data.h"
#include "reference/flipping.h"

namespace bisector {
namespace {

double variance(const DensityEstimate& density) {
  return density.bandwidth() * density.bandwidth();
}

TEST(DensityEstimate, FindsTheFixedPointThatPlainLoopsFind) {
  for (const std::size_t features : {1u, 2u, 7u, 60u}) {
    SCOPED_TRACE(testing::Message() << features << " features");
    const Matrix points = two_clouds(67, features, 10 + features);
    const DensityEstimate density(points.view());
    const double expected = reference::fitted_variance(points);
    EXPECT_NEAR(variance(density), expected, 1e-9 * expected);
    EXPECT_NEAR(density.log_likelihood(),
                reference::leave_one_out_likelihood(points, variance(density)), 1e-9);
    EXPECT_FALSE(density.at_lowest_bandwidth());
  }
}

// Golden section over the logarithm of the variance knows nothing of the fixed point.
TEST(DensityEstimate, MaximisesTheLeaveOneOutLikelihood) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Matrix points = normal_rows(60, 3, seed);
    const auto likelihood = [&](double log_variance) {
      return reference::leave_one_out_likelihood(points, std::exp(log_variance));
    };
    double low = -3.0, high = 2.0;
    const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
    while (high - low > 1e-7) {
      const double left = high - golden * (high - low), right = low + golden * (high - low);
      if (likelihood(left) < likelihood(right))
        low = left;
      else
        high = right;
    }
    const DensityEstimate density(points.view());
    EXPECT_NEAR(density.log_likelihood(), likelihood(low), 1e-5);
    EXPECT_NEAR(std::log(variance(density)), low, 0.02);
  }
}

TEST(DensityEstimate, DoesNotDependOnTheNumberOfThreads) {
  const Matrix points = two_clouds(300, 5, 4);
  const DensityEstimate one(points.view(), 1), three(points.view(), 3);
  EXPECT_EQ(one.bandwidth(), three.bandwidth());
  EXPECT_EQ(one.log_likelihood(), three.log_likelihood());
}

TEST(DensityEstimate, ScalesWithTheData) {
  const Matrix points = normal_rows(80, 4, 5);
  for (const double factor : {1e-60, 1e-3, 1e60}) {
    Matrix scaled = points;
    for (std::size_t r = 0; r < scaled.rows(); ++r) {
      for (double& value : scaled.row(r)) value *= factor;
    }
    const double expected = factor * DensityEstimate(points.view()).bandwidth();
    EXPECT_NEAR(DensityEstimate(scaled.view()).bandwidth(), expected, 1e-9 * expected);
  }
}

// Duplicate rows reduce the bandwidth, but any unique row keeps it above zero.
TEST(DensityEstimate, SomeDuplicatesShrinkTheBandwidthWithoutCollapse) {
  const Matrix points = normal_rows(100, 3, 6);
  Matrix with_duplicates = points;
  for (std::size_t r = 0; r < 60; ++r)
    std::ranges::copy(with_duplicates.row(r - r % 2), with_duplicates.row(r).begin());
  const DensityEstimate plain(points.view()), duplicates(with_duplicates.view());
  EXPECT_LT(duplicates.bandwidth(), plain.bandwidth());
  EXPECT_GT(duplicates.bandwidth(), 0.05 * plain.bandwidth());
  EXPECT_FALSE(duplicates.at_lowest_bandwidth());
  const double expected = reference::fitted_variance(with_duplicates);
  EXPECT_NEAR(variance(duplicates), expected, 1e-9 * expected);
}

TEST(DensityEstimate, StopsAtTheLowestBandwidthIfEveryRowHasADuplicate) {
  Matrix points = normal_rows(100, 3, 7);
  for (std::size_t r = 0; r < 100; ++r)
    std::ranges::copy(points.row(r - r % 2), points.row(r).begin());
  const DensityEstimate density(points.view());
  EXPECT_TRUE(density.at_lowest_bandwidth());
  // The deviation of a standard normal feature is about one.
  EXPECT_NEAR(density.bandwidth(), DensityEstimate::kLowestBandwidth,
              0.3 * DensityEstimate::kLowestBandwidth);
  EXPECT_TRUE(std::isfinite(density.log_likelihood()));
}

TEST(DensityEstimate, EqualRowsHaveTheLowestBandwidth) {
  const DensityEstimate density(Matrix(9, 4, 3.25).view());
  EXPECT_EQ(density.bandwidth(), DensityEstimate::kLowestBandwidth);
  EXPECT_TRUE(density.at_lowest_bandwidth());
}

TEST(DensityEstimate, TwoRowsHaveTheirDistance) {
  Matrix points(2, 2, {0.0, 0.0, 3.0, 4.0});
  // All weight is on the only other point, whatever the bandwidth: sigma^2 = 25 / 2.
  EXPECT_DOUBLE_EQ(variance(DensityEstimate(points.view())), 12.5);
}

TEST(DensityEstimate, DrawsFromTooManyRowsInTheirOrder) {
  // In many features the fit is a matter of a few steps.
  Matrix rows = normal_rows(DensityEstimate::kMaxPoints + 100, 30, 8);
  for (std::size_t r = 0; r < rows.rows(); ++r) rows(r, 0) = 1e-6 * static_cast<double>(r);
  const DensityEstimate density(rows.view());
  const Matrix& points = density.points();
  ASSERT_EQ(points.rows(), DensityEstimate::kMaxPoints);
  for (std::size_t n = 1; n < points.rows(); ++n) ASSERT_LT(points(n - 1, 0), points(n, 0));
  EXPECT_GT(points(points.rows() - 1, 0), rows(DensityEstimate::kMaxPoints, 0));
}

TEST(DensityEstimate, RefusesWhatItCannotFit) {
  EXPECT_THROW(DensityEstimate(Matrix(1, 3).view()), InvalidInput);
  EXPECT_THROW(DensityEstimate(Matrix(3, 0).view()), InvalidInput);
  Matrix broken(3, 2, 1.0);
  broken(2, 1) = std::numeric_limits<double>::quiet_NaN();
  try {
    DensityEstimate density(broken.view());
    FAIL() << "a NaN was taken";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("row 3, column 2 is nan"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace bisector
