#include "bisector/train/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "core/linalg/pairwise.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

/// Features of different spread around different places, the last one constant.
Matrix uneven(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Matrix rows = reference::random_matrix(random, count, 4);
  for (std::size_t r = 0; r < count; ++r) {
    rows(r, 1) = 100.0 + 30.0 * rows(r, 1);
    rows(r, 2) = -5.0 + 0.01 * rows(r, 2);
    rows(r, 3) = 0.1;
  }
  return rows;
}

Matrix scaled(const FittedScaling& scaling, const Matrix& rows) {
  Matrix result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) scaling.map.apply(rows.row(r), result.row(r));
  return result;
}

struct Moments {
  double mean, deviation;
};

Moments moments(const Matrix& rows, std::size_t feature) {
  double sum = 0.0, squares = 0.0;
  const auto count = static_cast<double>(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) sum += rows(r, feature);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    squares += std::pow(rows(r, feature) - sum / count, 2);
  return {sum / count, std::sqrt(squares / count)};
}

TEST(Scaling, StandardMedianHasMeanZeroEqualDeviationsAndMedianDistanceOne) {
  const Matrix rows = uneven(3, 151);
  const FittedScaling scaling = fit_scaling(rows.view(), Scaling::standard_median);
  const Matrix result = scaled(scaling, rows);
  EXPECT_NEAR(linalg::median_distance(result.view()), 1.0, 1e-12);
  EXPECT_EQ(scaling.median_distance, 1.0);
  const double deviation = moments(result, 0).deviation;
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(moments(result, d).mean, 0.0, 1e-12);
    EXPECT_NEAR(moments(result, d).deviation, deviation, 1e-12);
  }
  // The constant feature stays constant, and was divided by the median distance alone.
  EXPECT_NEAR(moments(result, 3).deviation, 0.0, 1e-15);
  EXPECT_NEAR(scaling.map.scale()[3], deviation, 1e-12);
}

TEST(Scaling, StandardHasDeviationOneAndReportsTheMedianDistance) {
  const Matrix rows = uneven(4, 80);
  const FittedScaling scaling = fit_scaling(rows.view(), Scaling::standard);
  const Matrix result = scaled(scaling, rows);
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(moments(result, d).deviation, 1.0, 1e-12);
  EXPECT_EQ(scaling.map.scale()[3], 1.0);
  EXPECT_NEAR(scaling.median_distance.value(), linalg::median_distance(result.view()), 1e-14);
}

TEST(Scaling, MedianKeepsTheProportionsOfTheFeatures) {
  const Matrix rows = uneven(5, 80);
  const FittedScaling scaling = fit_scaling(rows.view(), Scaling::median);
  const Matrix result = scaled(scaling, rows);
  EXPECT_NEAR(linalg::median_distance(result.view()), 1.0, 1e-12);
  EXPECT_EQ(scaling.map.scale(), std::vector<double>(4, scaling.map.scale()[0]));
  EXPECT_NEAR(moments(result, 1).mean, 0.0, 1e-12);
}

TEST(Scaling, NoneIsTheIdentity) {
  const Matrix rows = uneven(6, 20);
  const FittedScaling scaling = fit_scaling(rows.view(), Scaling::none);
  EXPECT_TRUE(scaling.map.is_identity());
  EXPECT_EQ(scaling.median_distance, linalg::median_distance(rows.view()));
}

TEST(Scaling, CannotDivideByAMedianDistanceOfZero) {
  Matrix rows(5, 1, 1.0);
  rows(4, 0) = 2.0;  // four of ten pairs differ
  EXPECT_THROW(fit_scaling(rows.view(), Scaling::standard_median), InvalidInput);
  EXPECT_THROW(fit_scaling(rows.view(), Scaling::median), InvalidInput);
  EXPECT_EQ(fit_scaling(rows.view(), Scaling::standard).median_distance, std::nullopt);
}

TEST(Scaling, RefusesRowsThatAreNotNumbers) {
  EXPECT_THROW(fit_scaling(Matrix(2, 1, {1.0, std::nan("")}).view(), Scaling::none), InvalidInput);
  EXPECT_THROW(fit_scaling(Matrix().view(), Scaling::none), InvalidInput);
}

}  // namespace
}  // namespace bisector
