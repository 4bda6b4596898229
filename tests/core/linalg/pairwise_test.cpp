#include "core/linalg/pairwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector::linalg {
namespace {

TEST(SquaredDistances, AreThoseOfAPlainLoopForAnyShape) {
  for (const std::size_t rows : {1, 2, 23, 64, 65, 200}) {
    for (const std::size_t features : {1, 7, 40}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << features);
      Random random(rows * 100 + features);
      const Matrix x = reference::random_matrix(random, rows, features);
      const Matrix distances = squared_distances(x.view(), 1);
      for (std::size_t i = 0; i < rows; ++i) {
        EXPECT_EQ(distances(i, i), 0.0);
        for (std::size_t j = 0; j < rows; ++j) {
          EXPECT_EQ(distances(i, j), distances(j, i));
          const double expected = reference::squared_distance(x.row(i), x.row(j));
          EXPECT_NEAR(distances(i, j), expected, 1e-13 * (1.0 + expected));
        }
      }
      EXPECT_EQ(squared_distances(x.view(), 3), distances);
    }
  }
}

/// Rows so wide that they are packed in several blocks: the same distances.
TEST(SquaredDistances, OfVeryWideRows) {
  constexpr std::size_t kRows = 70, kFeatures = 100'000;
  Matrix x(kRows, kFeatures);
  Random random(5);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t n = 0; n < 50; ++n) x(r, random.below(kFeatures)) = random.normal();
  }
  const Matrix distances = squared_distances(x.view(), 2);
  std::vector<double> all;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kRows; ++j) {
      const double expected = reference::squared_distance(x.row(i), x.row(j));
      EXPECT_NEAR(distances(i, j), expected, 1e-13 * (1.0 + expected));
      EXPECT_EQ(distances(i, j), distances(j, i));
      if (j < i) all.push_back(std::sqrt(distances(i, j)));
    }
  }
  std::ranges::sort(all);
  const double middle = (all[all.size() / 2] + all[(all.size() - 1) / 2]) / 2.0;
  EXPECT_NEAR(median_distance(x.view()), middle, 1e-12);
}

/// Straight from the definition.
double slow_median(const Matrix& rows) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      distances.push_back(std::sqrt(reference::squared_distance(rows.row(i), rows.row(j))));
  }
  std::sort(distances.begin(), distances.end());
  const std::size_t half = distances.size() / 2;
  return distances.size() % 2 == 1 ? distances[half] : (distances[half - 1] + distances[half]) / 2;
}

TEST(MedianDistance, IsThatOfAllPairs) {
  for (const std::size_t rows : {2, 3, 4, 5, 65, 130}) {
    SCOPED_TRACE(rows);
    Random random(rows);
    const Matrix x = reference::random_matrix(random, rows, 6);
    const double expected = slow_median(x);
    EXPECT_NEAR(median_distance(x.view()), expected, 1e-13 * expected);
  }
}

TEST(MedianDistance, OfMoreRowsThanTheLimitIsThatOfASeededDraw) {
  Random random(1);
  const Matrix x = reference::random_matrix(random, 600, 4);
  const double all = median_distance(x.view());
  const double some = median_distance(x.view(), {100, 7});
  EXPECT_EQ(some, median_distance(x.view(), {100, 7}, 1));
  EXPECT_NE(some, median_distance(x.view(), {100, 8}));
  EXPECT_NE(some, all);
  EXPECT_NEAR(some, all, 0.1 * all);
}

TEST(GaussianKernel, IsTheExponential) {
  const std::vector<double> squares = {0.0, 1e-20, 0.5, 3.0, 100.0, 354.0, 355.0, 1e6};
  std::vector<double> kernel(squares.size());
  gaussian_kernel(squares, 2.0, kernel);
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(kernel[n], std::exp(-2.0 * squares[n]), 1e-15 * std::exp(-2.0 * squares[n]));
  EXPECT_EQ(kernel[6], 0.0);
  EXPECT_EQ(kernel[7], 0.0);
}

}  // namespace
}  // namespace bisector::linalg
