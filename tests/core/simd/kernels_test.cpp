// Every level that this machine can run, against plain loops.
#include "core/simd/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "bisector/random.h"
#include "core/linalg/packed_matrix.h"
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

struct PlainKernel {
  long double value, slope;
};

PlainKernel plain_kernel(const KernelTerm& term, long double s) {
  const long double t = term.gamma * std::sqrt(s), e = std::exp(-t),
                    square = term.gamma * term.gamma;
  switch (term.form) {
    case KernelForm::exponential:
      return {std::exp(-term.gamma * s), term.gamma * std::exp(-term.gamma * s)};
    case KernelForm::matern12:
      return {e, square * e / (2.0L * t)};
    case KernelForm::matern32:
      return {(1.0L + t) * e, square * e / 2.0L};
    case KernelForm::matern52:
      return {(1.0L + t + t * t / 3.0L) * e, square * (1.0L + t) * e / 6.0L};
    default:
      return {std::pow(1.0L + term.gamma * s, -static_cast<long double>(term.shape)),
              term.shape * term.gamma *
                  std::pow(1.0L + term.gamma * s, -static_cast<long double>(term.shape) - 1.0L)};
  }
}

template <class T>
void expect_products(Level level) {
  ASSERT_EQ(active_level(), level);
  Random random(1);
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

/// The sum of absolute differences has the bits of the plain loop; so searches may use either.
void expect_absolute_distances() {
  Random random(3);
  for (const std::size_t depth : {1, 7, 130, 400}) {
    const std::size_t rows = 11, columns = 53;
    const Matrix a = reference::random_matrix(random, rows, depth);
    const Matrix b = reference::random_matrix(random, depth, columns);
    const auto packed = linalg::PackedMatrix<double>::of(b.view());
    const std::size_t stride = packed.padded_columns();
    std::vector<double> sums(rows * stride);
    kernels<double>().absolute_distances(a.row(0).data(), depth, rows, packed.panel(0),
                                         packed.panel_stride(), depth, columns, sums.data(), stride,
                                         false);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t n = 0; n < columns; ++n) {
        double expected = 0.0;
        for (std::size_t k = 0; k < depth; ++k) expected += std::abs(b(k, n) - a(r, k));
        ASSERT_EQ(sums[r * stride + n], expected);
      }
    }
  }
}

/// Numbers and categories, of which many are equal, against a plain loop.
void expect_category_distances() {
  Random random(6);
  for (const std::size_t depth : {1, 7, 40}) {
    const std::size_t rows = 11, columns = 72;
    const auto few_numbers = [&](std::size_t count, std::size_t width) {
      Matrix matrix = reference::random_matrix(random, count, width);
      for (std::size_t r = 0; r < count; ++r) {
        for (double& value : matrix.row(r)) value = std::round(value) / 3.0;
      }
      return matrix;
    };
    const Matrix a = few_numbers(rows, depth), b = few_numbers(depth, columns);
    std::vector<double> categories(depth);
    for (std::size_t k = 0; k < depth; k += 2) categories[k] = 0.1 + random.uniform();
    const auto packed = linalg::PackedMatrix<double>::of(b.view());
    std::vector<double> sums(rows * columns);
    kernels<double>().category_distances(a.row(0).data(), depth, rows, packed.panel(0),
                                         packed.panel_stride(), depth, columns, categories.data(),
                                         sums.data(), columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t n = 0; n < columns; ++n) {
        double expected = 0.0;
        for (std::size_t k = 0; k < depth; ++k) {
          const double t = b(k, n) - a(r, k);
          expected += categories[k] == 0.0 ? std::abs(t) : t != 0.0 ? categories[k] : 0.0;
        }
        ASSERT_EQ(sums[r * columns + n], expected);
      }
    }
  }
}

/// The parts of Manhattan distances that features have, some of them zero.
void expect_absolute_parts() {
  Random random(5);
  for (const std::size_t depth : {1, 2, 9, 40}) {
    for (const std::size_t count : {1, 23, 24, 100}) {
      Matrix points = reference::random_matrix(random, depth, count);
      const Matrix x = reference::random_matrix(random, 1, depth);
      points(0, count / 2) = x(0, 0);
      const auto packed = linalg::PackedMatrix<double>::of(points.view());
      std::vector<double> weights(packed.padded_columns(), 0.0);
      for (std::size_t n = 0; n < count; ++n) weights[n] = n % 5 == 0 ? 0.0 : random.uniform();
      std::vector<double> first(depth, 1.0), second(depth, 2.0);
      kernels<double>().add_absolute(weights.data(), packed.panel(0), packed.panel_stride(),
                                     packed.padded_columns(), x.row(0).data(), depth, first.data(),
                                     second.data());
      for (std::size_t k = 0; k < depth; ++k) {
        double signs = 1.0, sizes = 2.0;
        for (std::size_t n = 0; n < count; ++n) {
          const double t = points(k, n) - x(0, k);
          signs += weights[n] * (t > 0.0 ? 1.0 : t < 0.0 ? -1.0 : 0.0);
          sizes += weights[n] * std::abs(t);
        }
        ASSERT_NEAR(first[k], signs, 1e-13 * double(count));
        ASSERT_NEAR(second[k], sizes, 1e-13 * double(count));
      }
    }
  }
}

/// Squared distances from products, with the smallest distance and the smallest margin.
void expect_squares_from_products() {
  Random random(6);
  for (const std::size_t count : {1, 2, 7, 8, 24, 100}) {
    std::vector<double> products(count), norms(count);
    for (std::size_t n = 0; n < count; ++n) {
      products[n] = random.normal();
      norms[n] = 3.0 * random.uniform();
    }
    auto squares = products;
    const auto found =
        kernels<double>().squares_from_products(squares.data(), norms.data(), 2.0, 0.25, count);
    double nearest = 1e300, margin = 1e300;
    for (std::size_t n = 0; n < count; ++n) {
      ASSERT_NEAR(squares[n], 2.0 + norms[n] - 2.0 * products[n], 1e-14);
      nearest = std::min(nearest, squares[n]);
      margin = std::min(margin, squares[n] - 0.25 * (2.0 + norms[n]));
    }
    EXPECT_EQ(found.distance, nearest);
    EXPECT_NEAR(found.margin, margin, 1e-14);
  }
}

/// A kernel's weights and slopes from its definition, in long double.
template <class T>
void expect_kernel_weights(const KernelTerm& term) {
  Random random(8);
  const std::size_t n = 2 * kPanelWidth<T>;
  std::vector<T> s(n), log_weights(n), out(n);
  for (std::size_t k = 0; k < n; ++k) {
    s[k] = static_cast<T>(std::exp(random.uniform() * 40.0 - 30.0));
    log_weights[k] = static_cast<T>(random.normal());
  }
  s[0] = 0;
  const T shift = static_cast<T>(1.5);
  const double tolerance = 40.0 * std::numeric_limits<T>::epsilon();
  for (const bool slopes : {false, true}) {
    if (slopes && term.form == KernelForm::matern12) s[0] = static_cast<T>(1e-6);
    for (const bool accumulate : {false, true}) {
      std::ranges::fill(out, T{2});
      const auto sums = kernels<T>().kernel_weights(term, slopes, s.data(), log_weights.data(),
                                                    shift, out.data(), accumulate, n);
      long double all_values = 0.0L, all_slopes = 0.0L;
      for (std::size_t k = 0; k < n; ++k) {
        const long double part = std::exp(static_cast<long double>(log_weights[k]) - shift);
        const auto [value, slope] = plain_kernel(term, s[k]);
        all_values += part * value;
        all_slopes += part * slope;
        const auto expected =
            static_cast<double>(part * (slopes ? slope : value) + (accumulate ? 2.0L : 0.0L));
        // An exponent that is far down has few digits behind the point.
        const double digits = 1.0 + std::abs(std::log(static_cast<double>(value) + 1e-300));
        const double nothing = 1e6 * std::numeric_limits<T>::min();
        ASSERT_NEAR(out[k], expected, tolerance * digits * expected + nothing) << "s = " << s[k];
      }
      ASSERT_NEAR(sums.values, double(all_values), 4.0 * tolerance * double(all_values));
      if (slopes) {
        ASSERT_NEAR(sums.slopes, double(all_slopes), 4.0 * tolerance * double(all_slopes));
      }
    }
  }
}

template <class T>
void expect_all_kernel_weights() {
  for (const KernelForm form : {KernelForm::exponential, KernelForm::matern12, KernelForm::matern32,
                                KernelForm::matern52, KernelForm::power}) {
    for (const double gamma : {0.01, 1.0, 7.0}) expect_kernel_weights<T>({form, gamma, 1.3, 0.4});
  }
  for (const double shape : {0.5, 1.0, 2.0, 9.0})
    expect_kernel_weights<T>({KernelForm::power, 0.3, shape, 1.0});
}

/// The two loop orders, one for a left-hand side beyond the second-level cache, give the same sums
/// to the last bit.
template <class T>
void expect_many_rows_as_one() {
  Random random(4);
  const std::size_t rows = 130, depth = 1300, columns = 53;
  const Matrix a = reference::random_matrix(random, rows, depth);
  const auto packed =
      linalg::PackedMatrix<T>::of(reference::random_matrix(random, depth, columns).view());
  const std::vector<T> left(a.values().begin(), a.values().end());
  const std::size_t stride = packed.padded_columns();
  std::vector<T> together(rows * stride), alone(stride);
  kernels<T>().multiply(left.data(), depth, rows, packed.panel(0), packed.panel_stride(), depth,
                        columns, together.data(), stride, false);
  for (std::size_t r = 0; r < rows; ++r) {
    kernels<T>().multiply(left.data() + r * depth, depth, 1, packed.panel(0), packed.panel_stride(),
                          depth, columns, alone.data(), stride, false);
    for (std::size_t n = 0; n < columns; ++n) ASSERT_EQ(together[r * stride + n], alone[n]);
  }
}

/// Moments that are computed in the product, compared with the product of packed moments.
template <class T>
void expect_moments() {
  Random random(7);
  for (const std::size_t features : {1, 2, 3, 4, 7, 8, 9, 12, 17, 24, 33, 60}) {
    for (const std::size_t rows : {1, 2, 3, 9, 17}) {
      for (const std::size_t depth : {1, 5, 130, 300}) {
        const Matrix points = reference::random_matrix(random, depth, features);
        const Matrix center = reference::random_matrix(random, 1, features);
        const Matrix a = reference::random_matrix(random, rows, depth);
        std::vector<const double*> starts;
        Matrix moments(depth, 2 * features);
        for (std::size_t k = 0; k < depth; ++k) {
          starts.push_back(points.row(k).data());
          for (std::size_t d = 0; d < features; ++d) {
            const double u = points(k, d) - center(0, d);
            moments(k, d) = u;
            moments(k, features + d) = u * u;
          }
        }
        const auto packed = linalg::PackedMatrix<T>::of(moments.view());
        const std::vector<T> left(a.values().begin(), a.values().end());
        const std::size_t stride = packed.padded_columns() + kPanelWidth<T>;
        for (const bool squares : {false, true}) {
          const std::size_t columns = squares ? 2 * features : features;
          std::vector<T> expected(rows * stride, T{3}), made(rows * stride, T{3});
          for (const bool accumulate : {false, true}) {
            kernels<T>().multiply(left.data(), depth, rows, packed.panel(0), packed.panel_stride(),
                                  depth, columns, expected.data(), stride, accumulate);
            kernels<T>().multiply_moments(left.data(), depth, rows, starts.data(), depth,
                                          center.values().data(), features, squares, made.data(),
                                          stride, accumulate);
          }
          for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t n = 0; n < columns; ++n)
              ASSERT_EQ(made[r * stride + n], expected[r * stride + n])
                  << features << " features, " << rows << " rows, " << depth << " points, column "
                  << n;
          }
        }
      }
    }
  }
}

TEST_P(EveryLevel, SumsAbsoluteDifferencesAsAPlainLoop) { expect_absolute_distances(); }

TEST_P(EveryLevel, SumsNumbersAndCategoriesAsAPlainLoop) { expect_category_distances(); }

TEST_P(EveryLevel, AddsThePartsOfManhattanDistances) { expect_absolute_parts(); }

TEST_P(EveryLevel, ComputesSquaredDistancesFromProducts) { expect_squares_from_products(); }

TEST_P(EveryLevel, WeighsByEveryKernelAndItsSlope) {
  expect_all_kernel_weights<double>();
  expect_all_kernel_weights<float>();
}

TEST_P(EveryLevel, MomentsComputedInTheProductEqualPackedMoments) {
  expect_moments<double>();
  expect_moments<float>();
}

TEST_P(EveryLevel, ManyRowsAreComputedAsOne) {
  expect_many_rows_as_one<double>();
  expect_many_rows_as_one<float>();
}

TEST_P(EveryLevel, ProductsAndDistances) {
  expect_products<double>(GetParam());
  expect_products<float>(GetParam());
}

/// Small integers are exact in every order of summation, so rows and positions cannot matter; and a
/// row of any numbers is computed the same wherever it stands.
TEST_P(EveryLevel, ARowDoesNotDependOnItsNeighbors) {
  Random random(2);
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
  Random random(3);
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

TEST_P(EveryLevel, ScalesAndFindsTheLargest) {
  Random random(4);
  constexpr std::size_t n = 4 * kPanelWidth<double>;
  std::vector<double> t(n), bias(n), expected(n);
  for (std::size_t k = 0; k < n; ++k) {
    t[k] = random.normal();
    bias[k] = random.normal();
    expected[k] = -2.0 * t[k] + bias[k];
  }
  EXPECT_NEAR(kernels<double>().scale_and_max(t.data(), bias.data(), -2.0, n),
              *std::max_element(expected.begin(), expected.end()), 1e-15);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(t[k], expected[k], 1e-15);
}

TEST_P(EveryLevel, SumsMomentsToTheLastBit) {
  Random random(5);
  for (const std::size_t n : {1, 7, 8, 31, 100}) {
    const Matrix points = reference::random_matrix(random, 6, n);
    const Matrix center = reference::random_matrix(random, 1, n);
    std::vector<const double*> starts;
    std::vector<double> first(n), second(n), expected_first(n, 0.0), expected_second(n, 0.0);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      starts.push_back(points.row(i).data());
      for (std::size_t k = 0; k < n; ++k) {
        const double difference = points(i, k) - center(0, k), square = difference * difference;
        expected_first[k] += difference;
        expected_second[k] += square;
      }
    }
    kernels<double>().sum_moments(starts.data(), starts.size(), center.values().data(), n,
                                  first.data(), second.data());
    EXPECT_EQ(first, expected_first);
    EXPECT_EQ(second, expected_second);
  }
}

/// Small integers, so that entries are exact and equal limits are met on the spot.
template <class T>
void expect_small_ones_found(std::size_t rows, std::size_t depth, std::size_t columns) {
  Random random(depth + rows);
  const auto integer = [&] { return static_cast<double>(random.below(7)) - 3.0; };
  Matrix a(rows, depth), b(depth, columns);
  for (Matrix* m : {&a, &b}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      for (std::size_t c = 0; c < m->cols(); ++c) (*m)(r, c) = integer();
    }
  }
  const auto packed = linalg::PackedMatrix<T>::of(b.view());
  const std::size_t padded = packed.padded_columns();
  const std::vector<T> left(a.values().begin(), a.values().end());
  std::vector<T> bias(padded), limits(rows), partial(rows * padded);
  for (T& value : bias) value = static_cast<T>(integer());
  for (T& value : limits) value = static_cast<T>(4.0 * integer());
  std::vector<Hit<T>> hits(rows * padded);
  hits.resize(kernels<T>().find_small(left.data(), depth, rows, packed.panel(0),
                                      packed.panel_stride(), depth, padded, bias.data(),
                                      limits.data(), partial.data(), hits.data()));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::pair<std::size_t, T>> expected, found;
    for (std::size_t n = 0; n < padded; ++n) {
      T value = bias[n];
      for (std::size_t k = 0; n < columns && k < depth; ++k)
        value -= static_cast<T>(2.0 * a(r, k) * b(k, n));
      if (value <= limits[r]) expected.emplace_back(n, value);
    }
    for (const Hit<T>& hit : hits) {
      if (hit.row == r) found.emplace_back(hit.column, hit.value);
    }
    ASSERT_EQ(found, expected) << "row " << r;
  }
}

TEST_P(EveryLevel, FindsWhatIsSmall) {
  for (const std::size_t depth : {1, 16, 128, 129, 400}) {
    for (const std::size_t rows : {1, 7, 8, 21}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, depth " << depth);
      expect_small_ones_found<double>(rows, depth, 100);
      expect_small_ones_found<float>(rows, depth, 100);
    }
  }
  // More rows than stay in a cache beside the points.
  expect_small_ones_found<double>(130, 1300, 100);
  expect_small_ones_found<float>(130, 1300, 100);
}

/// Small integers, as above.
template <class T>
void expect_small_blends_found(std::size_t n) {
  Random random(n);
  const auto integers = [&](std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(random.below(21)) - T{10};
    return values;
  };
  const std::vector<T> x = integers(n), y = integers(n), bias = integers(n), limits = integers(5);
  for (const T limit : limits) {
    std::vector<Hit<T>> hits(n);
    hits.resize(kernels<T>().find_small_blend(x.data(), T{-2}, y.data(), T{3}, bias.data(),
                                              T{4} * limit, n, hits.data()));
    std::vector<std::pair<std::size_t, T>> expected, found;
    for (std::size_t k = 0; k < n; ++k) {
      const T value = T{-2} * x[k] + T{3} * y[k] + bias[k];
      if (value <= T{4} * limit) expected.emplace_back(k, value);
    }
    for (const Hit<T>& hit : hits) found.emplace_back(hit.column, hit.value);
    ASSERT_EQ(found, expected);
  }
}

TEST_P(EveryLevel, FindsWhatIsSmallInABlend) {
  for (const std::size_t panels : {1, 2, 5, 20}) {
    expect_small_blends_found<double>(panels * kPanelWidth<double>);
    expect_small_blends_found<float>(panels * kPanelWidth<float>);
  }
}

INSTANTIATE_TEST_SUITE_P(PerIsa, EveryLevel, testing::ValuesIn(supported_levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

TEST(Dispatch, TheLowestLevelIsAlwaysThereAndUnsupportedLevelsAreRefused) {
  const auto levels = supported_levels();
  // Every 64-bit ARM has NEON, so that nothing below it is compiled there.
  EXPECT_TRUE(levels.front() == Level::scalar || levels.front() == Level::neon);
  for (const Level level : {Level::sse4, Level::avx2, Level::avx512, Level::neon}) {
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
      EXPECT_THROW(force_level(level), InvalidInput);
    }
  }
}

}  // namespace
}  // namespace bisector::simd
