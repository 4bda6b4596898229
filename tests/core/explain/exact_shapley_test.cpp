// Exact Shapley values of kernel machines against the definition over all subsets.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/simd/kernels.h"
#include "reference/plain_machines.h"
#include "reference/subset_shapley.h"

namespace bisector {
namespace {

using reference::plain_decision;
using reference::Vector;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

struct Case {
  KernelMachine machine;
  Matrix rows, background;

  Case(std::uint64_t seed, std::size_t points, std::size_t features, std::size_t row_count,
       std::size_t background_count)
      : machine(reference::plain_machine(seed, points, features, 0.2)) {
    Random random(seed + 1000);
    rows = reference::normal_matrix(random, row_count, features);
    background = reference::normal_matrix(random, background_count, features);
  }
};

Vector over_subsets(const Case& c, std::size_t row) {
  const auto f = [&](const Vector& x) { return plain_decision(c.machine, x); };
  Vector mean(c.rows.cols(), 0.0);
  for (std::size_t b = 0; b < c.background.rows(); ++b) {
    const auto exact = reference::subset_shapley(f, reference::to_vector(c.rows.row(row)),
                                                 reference::to_vector(c.background.row(b)));
    for (std::size_t d = 0; d < mean.size(); ++d)
      mean[d] += exact.value[d] / static_cast<double>(c.background.rows());
  }
  return mean;
}

void expect_exact(const Case& c) {
  const Matrix values = ExactShapleyValues(c.machine, c.background)(c.rows);
  for (std::size_t r = 0; r < c.rows.rows(); ++r) {
    const Vector expected = over_subsets(c, r);
    for (std::size_t d = 0; d < expected.size(); ++d)
      EXPECT_NEAR(values(r, d), expected[d], 1e-13 * static_cast<double>(c.machine.points().rows()))
          << "row " << r << ", feature " << d;
  }
}

/// Restores the level that the environment chose.
class EveryLevel : public testing::Test {
 protected:
  ~EveryLevel() override { simd::force_level(before_); }
  simd::Level before_ = simd::active_level();
};

TEST_F(EveryLevel, GivesTheDefinitionOverAllSubsets) {
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    SCOPED_TRACE(simd::name(level));
    for (std::size_t features = 1; features <= 10; ++features) {
      SCOPED_TRACE(testing::Message() << features << " features");
      expect_exact(Case(features, 5 + 7 * features, features, 2, 1));
    }
  }
}

TEST(ExactShapley, AveragesOverTheBackground) { expect_exact(Case(77, 30, 6, 20, 4)); }

// 13 nodes and more: groups of several sizes, many panels, more rows than a tile.
TEST(ExactShapley, SumsToTheDifferenceOfF) {
  for (const std::size_t features : {11, 24, 25, 26, 40, 301}) {
    const Case c(features, 60, features, 19, 3);
    const Matrix values = ExactShapleyValues(c.machine, c.background)(c.rows);
    double at_background = 0.0;
    for (std::size_t b = 0; b < 3; ++b)
      at_background += plain_decision(c.machine, reference::to_vector(c.background.row(b))) / 3.0;
    for (std::size_t r = 0; r < c.rows.rows(); ++r)
      EXPECT_NEAR(sum(values.row(r)),
                  plain_decision(c.machine, reference::to_vector(c.rows.row(r))) - at_background,
                  1e-12)
          << features << " features, row " << r;
  }
}

// Of one point, a feature that leaves the kernel is one that stands at that point.
TEST(ExactShapley, OfDroppedFeaturesIsThatOfEachPointAgainstItself) {
  for (const std::size_t features : {1, 2, 7, 10}) {
    const Case c(features, 30, features, 5, 1);
    const Matrix values = ExactShapleyValues::of_dropped_features(c.machine, 2)(c.rows);
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      Vector expected(features, 0.0);
      for (std::size_t n = 0; n < c.machine.points().rows(); ++n) {
        const Vector point = reference::to_vector(c.machine.points().row(n));
        const KernelMachine alone(Matrix(1, features, point), {c.machine.coefficients()[n]},
                                  Kernel(c.machine.gamma()), 0.0);
        const auto exact =
            reference::subset_shapley([&](const Vector& x) { return plain_decision(alone, x); },
                                      reference::to_vector(c.rows.row(r)), point);
        for (std::size_t d = 0; d < features; ++d) expected[d] += exact.value[d];
      }
      for (std::size_t d = 0; d < features; ++d) EXPECT_NEAR(values(r, d), expected[d], 1e-12);
    }
  }
}

// f = c exp(-gamma |x - u|^2) with u = r: every factor B is one, and with all x_d - r_d equal the
// values are equal too.
TEST(ExactShapley, OfThousandsOfEqualFeaturesSharesEqually) {
  constexpr std::size_t features = 2000;
  const KernelMachine machine(Matrix(1, features, 0.5), {3.0}, Kernel(1e-3), 0.0);
  const Matrix values =
      ExactShapleyValues(machine, Matrix(1, features, 0.5))(Matrix(1, features, 1.0));
  const double each = 3.0 * std::expm1(-1e-3 * 0.25 * features) / features;
  for (std::size_t d = 0; d < features; ++d) ASSERT_NEAR(values(0, d), each, 1e-13);
}

// Factors that vanish: dividing the whole product by one of them would give 0 / 0.
TEST(ExactShapley, SurvivesFactorsThatAreZero) {
  const KernelMachine machine(Matrix(2, 3, {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}), {2.0, -1.0},
                              Kernel(1e6), 0.0);
  const Matrix rows(1, 3, {0.0, 0.0, 1.0});
  const Matrix background(1, 3, {0.0, 1.0, 0.0});
  const Matrix values = ExactShapleyValues(machine, background)(rows);
  const auto expected = reference::subset_shapley(
      [&](const Vector& x) { return plain_decision(machine, x); }, {0, 0, 1}, {0, 1, 0});
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(values(0, d), expected.value[d], 1e-15);
}

TEST(ExactShapley, FarAwayIsZeroNotNan) {
  const Case c(3, 20, 4, 1, 1);
  const Matrix values = ExactShapleyValues(c.machine, Matrix(1, 4, -1e90))(Matrix(1, 4, 1e90));
  for (const double value : values.row(0)) EXPECT_EQ(value, 0.0);
}

TEST(ExactShapley, OfAFeatureAtItsReferenceIsZero) {
  Case c(5, 20, 4, 1, 1);
  c.rows(0, 2) = c.background(0, 2);
  EXPECT_EQ(ExactShapleyValues(c.machine, c.background)(c.rows)(0, 2), 0.0);
}

TEST(ExactShapley, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Case c(9, 100, 7, 50, 2);
  const Matrix whole = ExactShapleyValues(c.machine, c.background, 1)(c.rows);
  EXPECT_EQ(ExactShapleyValues(c.machine, c.background, 3)(c.rows), whole);
  const ExactShapleyValues shapley(c.machine, c.background);
  for (std::size_t r = 0; r < 50; ++r) {
    const Matrix alone = shapley(c.rows.view().rows(r, 1));
    for (std::size_t d = 0; d < 7; ++d) EXPECT_EQ(alone(0, d), whole(r, d));
  }
}

TEST(ExactShapley, RefusesWhatDoesNotFit) {
  const Case c(1, 5, 3, 1, 1);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(0, 3)), InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(1, 2)), InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(1, 3, std::nan(""))), InvalidInput);
  const ExactShapleyValues shapley(c.machine, c.background);
  EXPECT_THROW(shapley(Matrix(1, 4)), InvalidInput);
  EXPECT_THROW(shapley(Matrix(1, 3, std::nan(""))), InvalidInput);
}

}  // namespace
}  // namespace bisector
