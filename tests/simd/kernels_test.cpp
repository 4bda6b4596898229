// Every level that this machine can run, against plain loops.
#include "simd/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "linalg/packed_matrix.h"
#include "linalg/random.h"
#include "reference/random_models.h"

namespace bisector::simd {
namespace {

/// Leaves the level as it found it.
class EveryLevel : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override { force_level(GetParam()); }
  void TearDown() override { force_level(before_); }

 private:
  Level before_ = active_level();
};

template <class T>
void expect_products(Level level) {
  ASSERT_EQ(active_level(), level);
  linalg::Random random(1);
  for (const std::size_t depth : {1, 2, 7, 130, 400}) {
    for (const std::size_t rows : {1, 2, 3, 7, 8, 9, 23}) {
      for (const std::size_t columns : {1, 5, 23, 24, 25, 47, 48, 49, 100}) {
        const Matrix a = reference::random_matrix(random, rows, depth);
        const Matrix b = reference::random_matrix(random, depth, columns);
        const auto packed = linalg::PackedMatrix<T>::of(b.view());
        const std::vector<T> left(a.values().begin(), a.values().end());
        const std::size_t stride = packed.padded_columns();
        std::vector<T> product(rows * stride, T{1}), distance(rows * stride);
        kernels<T>().multiply(left.data(), depth, rows, packed.panel(0), packed.panel_stride(),
                              depth, columns, product.data(), stride, true);
        kernels<T>().squared_distances(left.data(), depth, rows, packed.panel(0),
                                       packed.panel_stride(), depth, columns, distance.data(),
                                       stride, false);
        const double tolerance = 8.0 * std::numeric_limits<T>::epsilon() * double(depth + 1);
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t n = 0; n < columns; ++n) {
            double dot = 1.0, squared = 0.0;
            for (std::size_t k = 0; k < depth; ++k) {
              dot += a(r, k) * b(k, n);
              squared += (a(r, k) - b(k, n)) * (a(r, k) - b(k, n));
            }
            ASSERT_NEAR(product[r * stride + n], dot, tolerance * (1.0 + double(depth)));
            ASSERT_NEAR(distance[r * stride + n], squared, tolerance * (1.0 + squared));
          }
        }
      }
    }
  }
}

TEST_P(EveryLevel, ProductsAndDistances) {
  expect_products<double>(GetParam());
  expect_products<float>(GetParam());
}

/// Small integers are exact in every order of summation, so rows and positions cannot matter; and a
/// row of any numbers is computed the same wherever it stands.
TEST_P(EveryLevel, ARowDoesNotDependOnItsNeighbours) {
  linalg::Random random(2);
  const Matrix a = reference::random_matrix(random, 19, 37);
  const auto packed = linalg::PackedMatrix<double>::of(reference::random_matrix(random, 37, 50));
  const std::size_t stride = packed.padded_columns();
  std::vector<double> together(19 * stride), alone(stride);
  kernels<double>().multiply(a.values().data(), 37, 19, packed.panel(0), packed.panel_stride(), 37,
                             50, together.data(), stride, false);
  for (std::size_t r = 0; r < 19; ++r) {
    kernels<double>().multiply(a.row(r).data(), 37, 1, packed.panel(0), packed.panel_stride(), 37,
                               50, alone.data(), stride, false);
    for (std::size_t n = 0; n < 50; ++n) ASSERT_EQ(together[r * stride + n], alone[n]);
  }
}

template <class T>
void expect_exponential(double lowest) {
  linalg::Random random(3);
  double worst = 0.0;
  std::vector<T> t(kPanelWidth<T>), x(kPanelWidth<T>);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    double sum = 0.0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      t[k] = x[k] = static_cast<T>(lowest * random.uniform() * random.uniform());
      sum += std::exp(static_cast<double>(x[k]));
    }
    const double total = kernels<T>().exp_and_sum(t.data(), T{0}, t.size());
    EXPECT_NEAR(total, sum, 100 * std::numeric_limits<T>::epsilon() * sum);
    for (std::size_t k = 0; k < t.size(); ++k) {
      const auto exact = std::exp(static_cast<long double>(x[k]));
      worst = std::max(worst, static_cast<double>(std::abs(t[k] - exact) / exact));
    }
  }
  EXPECT_LT(worst, 2.0 * std::numeric_limits<T>::epsilon());
}

TEST_P(EveryLevel, ExponentialIsGoodToTwoUlp) {
  expect_exponential<double>(-700.0);
  expect_exponential<float>(-86.0);
}

template <class T>
void expect_edges() {
  const T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> t(kPanelWidth<T>, T{0});
  t[1] = std::numeric_limits<T>::quiet_NaN();
  t[2] = -infinity;
  t[3] = std::numeric_limits<T>::lowest();
  t[4] = T{-1e30f};
  kernels<T>().exp_and_sum(t.data(), T{0}, t.size());
  EXPECT_EQ(t[0], T{1});
  EXPECT_TRUE(std::isnan(t[1]));
  EXPECT_EQ(t[2], T{0});
  EXPECT_EQ(t[3], T{0});
  EXPECT_EQ(t[4], T{0});
}

TEST_P(EveryLevel, ExponentialKeepsNanAndFlushesTheTiny) {
  expect_edges<double>();
  expect_edges<float>();
}

TEST_P(EveryLevel, ScalesAndFinds) {
  linalg::Random random(4);
  constexpr std::size_t n = 4 * kPanelWidth<double>;
  std::vector<double> t(n), bias(n), expected(n);
  for (std::size_t k = 0; k < n; ++k) {
    t[k] = random.normal();
    bias[k] = random.normal();
    expected[k] = -2.0 * t[k] + bias[k];
  }
  std::vector<double> scaled = t;
  EXPECT_NEAR(kernels<double>().scale_and_max(scaled.data(), bias.data(), -2.0, n),
              *std::max_element(expected.begin(), expected.end()), 1e-15);
  std::vector<std::uint32_t> found(n);
  const std::size_t count =
      kernels<double>().scale_and_find(t.data(), bias.data(), -2.0, n, 0.0, found.data());
  std::size_t next = 0;
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(t[k], expected[k], 1e-15);
    if (expected[k] <= 0.0) {
      ASSERT_LT(next, count);
      EXPECT_EQ(found[next++], k);
    }
  }
  EXPECT_EQ(next, count);
}

INSTANTIATE_TEST_SUITE_P(PerIsa, EveryLevel, testing::ValuesIn(supported_levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

TEST(Dispatch, ScalarIsAlwaysThereAndUnsupportedLevelsAreRefused) {
  const auto levels = supported_levels();
  EXPECT_EQ(levels.front(), Level::scalar);
  for (const Level level : {Level::sse4, Level::avx2, Level::avx512, Level::neon}) {
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
      EXPECT_THROW(force_level(level), InvalidInput);
    }
  }
}

}  // namespace
}  // namespace bisector::simd
