#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>

#include "bisector/random.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "core/util/parallel.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector::linalg {
namespace {

SharedPoints around_zero(const Matrix& points) {
  return std::make_shared<const PointSet>(points, std::vector<double>(points.cols(), 0.0));
}

TEST(MixedSoftmax, WeighsAnyNumberOfPointsLikeAPlainLoop) {
  // The last case has enough values for longer tiles.
  for (const auto& [count, columns] : {std::pair<std::size_t, std::size_t>(1, 7),
                                       {23, 7},
                                       {24, 7},
                                       {263, 7},
                                       {264, 7},
                                       {265, 7},
                                       {1000, 7},
                                       {1100, 1100}}) {
    for (const bool single : {false, true}) {
      SCOPED_TRACE(testing::Message() << count << " points, " << (single ? "single" : "double"));
      Random random(count);
      const Matrix points = reference::random_matrix(random, count, 5);
      const Matrix values = reference::random_matrix(random, count, columns);
      const Matrix rows = reference::random_matrix(random, 11, 5);
      std::vector<double> log_weights;
      for (std::size_t n = 0; n < count; ++n) log_weights.push_back(random.normal());
      const double gamma = 0.8;
      const MixedSoftmax softmax(MixedPanels(around_zero(points), single), log_weights, gamma,
                                 values, largest_norm(points.view()));
      const SoftmaxRows result = softmax.run(rows.view(), columns, 1);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        double sum = 0.0;
        std::vector<double> mean(columns, 0.0);
        for (std::size_t n = 0; n < count; ++n) {
          const double weight = std::exp(
              log_weights[n] - gamma * reference::squared_distance(rows.row(r), points.row(n)));
          sum += weight;
          for (std::size_t v = 0; v < columns; ++v) mean[v] += weight * values(n, v);
        }
        const double tolerance = single ? 2e-5 : 1e-12;
        EXPECT_NEAR(result[r].log_sum + result[r].offset, std::log(sum), tolerance);
        for (std::size_t v = 0; v < columns; ++v)
          EXPECT_NEAR(result[r].mean[v], mean[v] / sum, tolerance);
      }
    }
  }
}

struct SoftmaxCase {
  explicit SoftmaxCase(std::size_t count, std::size_t features, std::size_t queries)
      : random(count + features),
        matrix(reference::random_matrix(random, 2 * count, features)),
        center(row_mean(matrix->view())),
        rows(reference::random_matrix(random, queries, features)) {
    std::vector<PointIndex> indices;
    for (std::size_t n = 0; n < count; ++n) {
      indices.push_back(static_cast<PointIndex>(2 * n + random.below(2)));
      log_weights.push_back(random.normal());
    }
    points = std::make_shared<const PointSet>(matrix, indices, center);
    for (std::size_t n = 0; n < count; ++n)
      radius = std::max(radius, std::sqrt(points->squared_norm(n)));
  }

  Random random;
  SharedMatrix matrix;
  std::vector<double> center, log_weights;
  Matrix rows;
  SharedPoints points;
  double radius = 0.0;
};

/// The moments of the points as given values.
Matrix stored_moments(const PointSet& points) {
  const std::size_t features = points.features();
  Matrix values(points.size(), 2 * features);
  for (std::size_t n = 0; n < points.size(); ++n) {
    for (std::size_t d = 0; d < features; ++d) {
      const double u = points[n][d] - points.center()[d];
      values(n, d) = u;
      values(n, features + d) = u * u;
    }
  }
  return values;
}

void expect_equal_rows(const SoftmaxRows& one, const SoftmaxRows& other, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    ASSERT_EQ(one[r].log_sum, other[r].log_sum) << "row " << r;
    ASSERT_TRUE(std::ranges::equal(one[r].mean, other[r].mean)) << "row " << r;
  }
}

// Moments that are computed in the product equal stored values to the last bit, for any number of
// rows, features and columns, in both precisions.
TEST(MixedSoftmax, MomentsComputedInTheProductEqualStoredValues) {
  for (const std::size_t features : {1, 2, 3, 5, 8, 10, 13, 24, 31, 40, 150}) {
    for (const std::size_t queries : {1, 2, 3, 9, 40}) {
      for (const bool single : {false, true}) {
        SCOPED_TRACE(testing::Message() << features << " features, " << queries << " rows");
        const SoftmaxCase c(features < 30 ? 700 : 2000, features, queries);  // kept, and not
        const MixedPanels panels(c.points, single);
        const MixedSoftmax made(panels, c.log_weights, 0.1, std::nullopt, c.radius);
        const MixedSoftmax stored(panels, c.log_weights, 0.1,
                                  SharedMatrix(stored_moments(*c.points)), c.radius);
        for (const std::size_t columns : {features, 2 * features})
          expect_equal_rows(made.run(c.rows.view(), columns, 1),
                            stored.run(c.rows.view(), columns, 1), queries);
      }
    }
  }
}

// Single precision keeps no doubles: points are packed for the rows that go through double.
TEST(MixedSoftmax, PanelsPackedOnDemandEqualKeptPanels) {
  const SoftmaxCase c(1500, 7, 20);
  const double stiff = 1e5;  // too much for single precision
  const MixedSoftmax kept(MixedPanels(c.points, false), c.log_weights, stiff, std::nullopt,
                          c.radius);
  const MixedSoftmax packed(MixedPanels(c.points, true), c.log_weights, stiff, std::nullopt,
                            c.radius);
  expect_equal_rows(kept.run(c.rows.view(), 14, 1), packed.run(c.rows.view(), 14, 1), 20);
}

// More points than a shard: the same bits for any number of threads and any other rows, and the
// sums of a plain loop.
TEST(MixedSoftmax, ShardsMergeInAFixedOrder) {
  const SoftmaxCase c(2 * kPointShard + 77, 3, 5);
  for (const bool single : {false, true}) {
    const MixedSoftmax softmax(MixedPanels(c.points, single), c.log_weights, 0.7, std::nullopt,
                               c.radius);
    const SoftmaxRows alone = softmax.run(c.rows.view(), 6, 1);
    for (const unsigned threads : {2U, 3U, 16U})
      expect_equal_rows(softmax.run(c.rows.view(), 6, threads), alone, 5);
    for (std::size_t r = 0; r < 5; ++r) {
      const SoftmaxRows one = softmax.run(c.rows.view().rows(r, 1), 6, 2);
      ASSERT_EQ(one[0].log_sum, alone[r].log_sum);
      ASSERT_TRUE(std::ranges::equal(one[0].mean, alone[r].mean));
    }
    double sum = 0.0, mean = 0.0;
    std::vector<double> point(3);
    for (std::size_t n = 0; n < c.points->size(); ++n) {
      for (std::size_t d = 0; d < 3; ++d) point[d] = (*c.points)[n][d] - c.center[d];
      const double weight =
          std::exp(c.log_weights[n] - 0.7 * reference::squared_distance(c.rows.row(0), point));
      sum += weight;
      mean += weight * point[1] * point[1];
    }
    const double tolerance = single ? 2e-5 : 1e-12;
    EXPECT_NEAR(alone[0].log_sum + alone[0].offset, std::log(sum), tolerance);
    EXPECT_NEAR(alone[0].mean[4], mean / sum, tolerance);
  }
}

TEST(Matrix, RefusesANumberOfValuesThatDoesNotFit) {
  EXPECT_THROW(Matrix(2, 3, std::vector<double>(5)), std::invalid_argument);
  EXPECT_THROW(Matrix(2, 3, std::vector<double>(7)), std::invalid_argument);
  EXPECT_THROW(Matrix(3, 0, std::vector<double>(1)), std::invalid_argument);
  EXPECT_THROW(Matrix(std::size_t{1} << 63, 2, std::vector<double>()), std::invalid_argument);
  EXPECT_EQ(Matrix(3, 0, std::vector<double>()).rows(), 3u);
}

TEST(MedianDistance, IsTheMedianOverAllPairs) {
  EXPECT_DOUBLE_EQ(median_distance(Matrix(3, 1, {0.0, 1.0, 10.0}).view()), 9.0);
  EXPECT_DOUBLE_EQ(median_distance(Matrix(4, 1, {0.0, 1.0, 3.0, 7.0}).view()), 3.5);
  EXPECT_DOUBLE_EQ(median_distance(Matrix(1, 1, {5.0}).view()), 0.0);
}

TEST(PseudoInverse, IsAnInverseOnTheRange) {
  Random random(8);
  for (const auto& [rows, cols] : {std::pair(3, 5), std::pair(5, 3), std::pair(4, 4)}) {
    const Matrix a = reference::random_matrix(random, std::size_t(rows), std::size_t(cols));
    const Matrix inverse = pseudo_inverse(a);
    for (std::size_t r = 0; r < a.rows(); ++r) {
      for (std::size_t c = 0; c < a.cols(); ++c) {
        double value = 0.0;  // (A A+ A)(r, c)
        for (std::size_t i = 0; i < a.cols(); ++i) {
          for (std::size_t j = 0; j < a.rows(); ++j) value += a(r, i) * inverse(i, j) * a(j, c);
        }
        EXPECT_NEAR(value, a(r, c), 1e-12);
      }
    }
  }
}

TEST(Random, DrawsTheSameEverywhere) {
  Random random(42);
  // The standard fixes the engine's numbers; this fixes the distributions.
  EXPECT_EQ(random.below(1000), 406u);
  EXPECT_DOUBLE_EQ(random.uniform(), 0.63903139385469743);
}

TEST(Random, BelowIsUniformAndNormalIsNormal) {
  Random random(1);
  std::vector<int> count(7, 0);
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < 70000; ++i) {
    ++count[random.below(7)];
    const double z = random.normal();
    sum += z;
    squares += z * z;
  }
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
  EXPECT_NEAR(sum / 70000, 0.0, 0.02);
  EXPECT_NEAR(squares / 70000, 1.0, 0.03);
}

TEST(ParallelFor, DoesEveryBlockOnce) {
  std::vector<std::atomic<int>> done(1000);
  util::parallel_for(1000, 4, [&] { return [&](std::size_t i) { ++done[i]; }; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

// The lowest failing block waits until a later one has failed.
TEST(ParallelFor, PassesOnTheErrorOfTheLowestBlock) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    std::atomic<bool> has_failed = threads == 1;
    const auto worker = [&](std::size_t i) {
      if (i < 17) return;
      while (i == 17 && !has_failed) std::this_thread::yield();
      has_failed = true;
      throw std::runtime_error(std::to_string(i));
    };
    try {
      util::parallel_for(100, threads, [&] { return worker; });
      FAIL() << "the error was swallowed";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "17") << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace bisector::linalg
