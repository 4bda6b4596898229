// Searches by distances that are not Euclidean, against sorting all of them.
#include "core/linalg/distance_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/random.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/row_distance.h"
#include "core/simd/kernels.h"
#include "reference/random_models.h"

namespace bisector::linalg {
namespace {

GroupedNeighbors by_sorting(const Distance& distance, const Matrix& points, std::size_t groups,
                            std::span<const double> row, std::size_t count) {
  GroupedNeighbors found(groups);
  const RowDistance from(distance, row);
  for (std::size_t n = 0; n < points.rows(); ++n)
    found[n % groups].push_back({from.sum(points.row(n).data()), n});
  for (auto& group : found) {
    std::sort(group.begin(), group.end());
    group.resize(std::min(group.size(), count));
  }
  return found;
}

TEST(DistanceSearch, FindsWhatSortingFindsOnAnyNumberOfThreads) {
  constexpr std::size_t kGroups = 2;
  for (const std::size_t size : {1, 7, 500, 9001}) {
    Random random(size);
    Matrix points = reference::random_matrix(random, size, 3);
    // Every other point on a grid, so that distances tie.
    for (std::size_t n = 0; n < size; n += 2)
      for (double& value : points.row(n)) value = std::round(value);
    const Matrix rows = reference::random_matrix(random, 5, 3);
    std::vector<std::size_t> groups;
    for (std::size_t n = 0; n < size; ++n) groups.push_back(n % kGroups);
    for (const Distance& distance : {Distance::manhattan(), Distance(3.0), Distance(7.3),
                                     Distance::hamming(3), Distance(1.0, {0.0, 0.7, 0.0})}) {
      const NeighborSearch search(SharedMatrix(points), groups, kGroups, distance);
      for (const unsigned threads : {1u, 3u}) {
        const auto found = search.search(rows.view(), 9, threads);
        for (std::size_t r = 0; r < rows.rows(); ++r)
          EXPECT_EQ(found[r], by_sorting(distance, points, kGroups, rows.row(r), 9))
              << size << " points, power " << distance.power() << ", " << threads << " threads";
      }
    }
  }
}

// A row of zeros has no direction and is at distance 1 from every point: rounding must not choose.
TEST(NeighborSearch, CosineNeighborsOfAZeroRowAreTheLowestIndices) {
  Random random(4);
  for (const std::size_t features : {1, 3, 40, 300}) {
    const Matrix points = reference::random_matrix(random, 500, features);
    Matrix rows = reference::random_matrix(random, 3, features);
    std::ranges::fill(rows.row(0), 0.0);
    std::ranges::fill(rows.row(2), 1e-200);  // whose square is zero
    std::vector<std::size_t> groups;
    for (std::size_t n = 0; n < points.rows(); ++n) groups.push_back(n % 3);
    const auto found =
        NeighborSearch(SharedMatrix(points), groups, 3, Distance::cosine()).search(rows.view(), 5);
    for (const std::size_t row : {0, 2}) {
      for (std::size_t g = 0; g < 3; ++g) {
        for (std::size_t n = 0; n < 5; ++n)
          EXPECT_EQ(found[row][g][n], (Neighbor{1.0, 3 * n + g})) << "row " << row;
      }
    }
  }
}

/// Points in clusters of very different sizes, some of them equal, around a place far from zero.
Matrix uneven_points(Random& random, std::size_t count, std::size_t features, double size,
                     double place) {
  Matrix points = reference::random_matrix(random, count, features);
  for (std::size_t n = 0; n < count; ++n) {
    const double own = size * std::pow(10.0, -static_cast<double>(n % 4));
    for (double& value : points.row(n)) value = place + own * value;
    if (n % 11 == 3) std::ranges::copy(points.row(n - 1), points.row(n).begin());
  }
  return points;
}

/// Near the points, at one of them, and far outside.
Matrix uneven_rows(Random& random, const Matrix& points, double size, double place) {
  Matrix rows = uneven_points(random, 6, points.cols(), size, place);
  std::ranges::copy(points.row(0), rows.row(1).begin());
  std::ranges::copy(points.row(points.rows() / 2), rows.row(2).begin());
  for (double& value : rows.row(3)) value *= 1e5;
  return rows;
}

void expect_powers_as_sorting(std::size_t features, double size, double place) {
  constexpr std::size_t kGroups = 2;
  Random random(features);
  for (const std::size_t count : {3, 701}) {
    const Matrix points = uneven_points(random, count, features, size, place);
    const Matrix rows = uneven_rows(random, points, size, place);
    std::vector<std::size_t> groups;
    for (std::size_t n = 0; n < count; ++n) groups.push_back(n % kGroups);
    for (const double power : {1.01, 1.5, 2.5, 3.0, 4.0, 7.3, 50.0, 999.0, 1e6}) {
      const Distance distance(power);
      const NeighborSearch search(SharedMatrix(points), groups, kGroups, distance);
      for (const std::size_t wanted : {1, 9, 400}) {
        const auto found = search.search(rows.view(), wanted);
        for (std::size_t r = 0; r < rows.rows(); ++r)
          ASSERT_EQ(found[r], by_sorting(distance, points, kGroups, rows.row(r), wanted))
              << features << " features, size " << size << " at " << place << ", power " << power
              << ", row " << r << ", " << wanted << " wanted";
      }
    }
  }
}

/// Points all but equally far from a row, which single precision cannot distinguish.
void expect_close_calls_as_sorting(std::size_t features, double size, double place) {
  constexpr std::size_t kPoints = 300;
  Random random(features);
  Matrix points = reference::random_matrix(random, kPoints, features);
  for (std::size_t n = 0; n < kPoints; ++n) {
    for (double& value : points.row(n)) {
      const double near = 0.02 * (random.below(2) == 0 ? 1.0 : -1.0) * (1.0 + 1e-9 * value);
      value = size * (place + (n % 6 == 0 ? near : std::copysign(1.0, value) + value));
    }
  }
  const Matrix row(1, features, std::vector<double>(features, size * place));
  for (const double power : {1.01, 5.0, 7.3, 50.0}) {
    const Distance distance(power);
    const std::vector<std::size_t> groups(kPoints, 0);
    const NeighborSearch search(SharedMatrix(points), groups, 1, distance);
    for (const std::size_t wanted : {1, 9, 30})
      ASSERT_EQ(search.search(row.view(), wanted)[0],
                by_sorting(distance, points, 1, row.row(0), wanted))
          << features << " features, size " << size << ", power " << power;
  }
}

class PowersAtEveryLevel : public testing::TestWithParam<simd::Level> {
 protected:
  void SetUp() override { simd::force_level(GetParam()); }
  void TearDown() override { simd::force_level(before_); }

 private:
  simd::Level before_ = simd::active_level();
};

TEST_P(PowersAtEveryLevel, FindWhatSortingFindsAtAnyScale) {
  for (const std::size_t features : {1, 3, 21}) {
    for (const double size : {1.0, 1e-30, 1e-60, 1e12, 1e95}) {
      expect_powers_as_sorting(features, size, 0.0);
      expect_powers_as_sorting(features, size, 1e3 * size);
    }
  }
}

TEST_P(PowersAtEveryLevel, LetDistancesDecideCloseCalls) {
  for (const std::size_t features : {1, 3, 21}) {
    for (const double size : {1.0, 1e-12, 1e9}) {
      expect_close_calls_as_sorting(features, size, 0.0);
      expect_close_calls_as_sorting(features, size, 7.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PerIsa, PowersAtEveryLevel, testing::ValuesIn(simd::supported_levels()),
                         [](const auto& level) { return std::string(simd::name(level.param)); });

}  // namespace
}  // namespace bisector::linalg
