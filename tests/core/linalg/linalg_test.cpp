#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>

#include "bisector/random.h"
#include "core/linalg/nearest.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/parallel.h"
#include "core/linalg/soft_pass.h"
#include "core/linalg/vectors.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector::linalg {
namespace {

TEST(SoftPass, WeighsAnyNumberOfPointsLikeAPlainLoop) {
  // The last has so many values that the tiles are longer.
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
      const SoftPass pass(points.view(), log_weights, gamma, values.view(),
                          largest_norm(points.view()), single, {});
      const SoftRows result = pass.run(rows.view(), columns);
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

template <class T>
void expect_nearest(std::uint64_t seed, bool ties) {
  Random random(seed);
  const std::size_t count = 1 + random.below(1500), groups = 1 + random.below(4);
  Matrix points = reference::random_matrix(random, count, 1 + random.below(20));
  Matrix rows = reference::random_matrix(random, 10, points.cols());
  if (ties) {
    for (Matrix* m : {&points, &rows}) {
      for (std::size_t r = 0; r < m->rows(); ++r) {
        for (std::size_t d = 0; d < m->cols(); ++d) (*m)(r, d) = std::round((*m)(r, d));
      }
    }
  }
  std::vector<std::size_t> group;
  for (std::size_t n = 0; n < count; ++n) group.push_back(random.below(groups));
  const std::size_t wanted = 1 + random.below(30);
  std::vector<GroupedNeighbors> found;
  NearestSearch<T>(points, group, groups).search(rows.view(), wanted, found);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t g = 0; g < groups; ++g) {
      auto expected = reference::ranked(points, group, g, rows.row(r));
      expected.resize(std::min(expected.size(), wanted));
      ASSERT_EQ(found[r][g].size(), expected.size());
      for (std::size_t n = 0; n < expected.size(); ++n) {
        ASSERT_EQ(found[r][g][n].index, expected[n].second) << "rank " << n;
        ASSERT_DOUBLE_EQ(found[r][g][n].squared_distance, expected[n].first);
      }
    }
  }
}

TEST(NearestSearch, IsExactWithTiesInBothPrecisions) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_nearest<double>(seed, seed % 2 == 0);
    expect_nearest<float>(seed, seed % 2 == 0);
  }
}

TEST(NearestSearch, FarFromTheOriginNothingIsLost) {
  Random random(5);
  Matrix points = reference::random_matrix(random, 500, 6);
  Matrix rows = reference::random_matrix(random, 5, 6);
  for (Matrix* m : {&points, &rows}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      for (std::size_t d = 0; d < 6; ++d) (*m)(r, d) += 1e6;
    }
  }
  const std::vector<std::size_t> group(500, 0);
  std::vector<GroupedNeighbors> found;
  NearestSearch<float>(points, group, 1).search(rows.view(), 9, found);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto expected = reference::ranked(points, group, 0, rows.row(r));
    for (std::size_t n = 0; n < 9; ++n) EXPECT_EQ(found[r][0][n].index, expected[n].second);
  }
}

// Two far clusters of close points: single precision cannot tell the points of one apart, so that
// all of them stay candidates and the row goes through double precision.
TEST(NeighborSearch, RowsTooCrowdedForSinglePrecisionAreSearchedInDouble) {
  Random random(6);
  Matrix points = reference::random_matrix(random, 2000, 5);
  Matrix rows = reference::random_matrix(random, 30, 5);
  for (Matrix* m : {&points, &rows}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      for (std::size_t d = 0; d < 5; ++d) (*m)(r, d) += r % 2 == 0 ? 1e5 : -1e5;
    }
  }
  std::vector<std::size_t> group;
  for (std::size_t n = 0; n < points.rows(); ++n) group.push_back(random.below(2));
  std::vector<GroupedNeighbors> found;
  std::vector<std::size_t> crowded;
  NearestSearch<float>(points, group, 2).search(rows.view(), 9, found, &crowded);
  EXPECT_EQ(crowded.size(), rows.rows());
  found = NeighborSearch(points, group, 2).search(rows.view(), 9);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t g = 0; g < 2; ++g) {
      const auto expected = reference::ranked(points, group, g, rows.row(r));
      ASSERT_EQ(found[r][g].size(), 9u);
      for (std::size_t n = 0; n < 9; ++n) {
        EXPECT_EQ(found[r][g][n].index, expected[n].second);
        EXPECT_DOUBLE_EQ(found[r][g][n].squared_distance, expected[n].first);
      }
    }
  }
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
  // The engine's numbers are fixed by the standard; these pin what is made of them.
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
  parallel_for(1000, 4, [&] { return [&](std::size_t i) { ++done[i]; }; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

// Whichever thread is first: the block before the others waits until a later one has failed.
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
      parallel_for(100, threads, [&] { return worker; });
      FAIL() << "the error was swallowed";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "17") << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace bisector::linalg
