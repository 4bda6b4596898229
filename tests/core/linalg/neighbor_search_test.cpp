#include "core/linalg/neighbor_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bisector/random.h"
#include "core/linalg/vectors.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector::linalg {
namespace {

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
  const Panels panels = seed % 3 == 0 ? Panels::packed : Panels::kept;
  const auto found =
      ProductSearch<T>(make_groups(points, group, groups), panels).search(rows.view(), wanted, 1);
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

TEST(ProductSearch, IsExactWithTiesInBothPrecisions) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_nearest<double>(seed, seed % 2 == 0);
    expect_nearest<float>(seed, seed % 2 == 0);
  }
}

TEST(ProductSearch, FarFromTheOriginNothingIsLost) {
  Random random(5);
  Matrix points = reference::random_matrix(random, 500, 6);
  Matrix rows = reference::random_matrix(random, 5, 6);
  for (Matrix* m : {&points, &rows}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      for (std::size_t d = 0; d < 6; ++d) (*m)(r, d) += 1e6;
    }
  }
  const std::vector<std::size_t> group(500, 0);
  const auto found =
      ProductSearch<float>(make_groups(points, group, 1), Panels::kept).search(rows.view(), 9, 1);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto expected = reference::ranked(points, group, 0, rows.row(r));
    for (std::size_t n = 0; n < 9; ++n) EXPECT_EQ(found[r][0][n].index, expected[n].second);
  }
}

// Two far clusters of close points: single precision cannot tell the points of one apart, so that
// all of them stay possible neighbors and the row goes through double precision.
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
  std::vector<std::size_t> crowded;
  ProductSearch<float>(make_groups(points, group, 2), Panels::kept)
      .search(rows.view(), 9, 1, &crowded);
  EXPECT_EQ(crowded.size(), rows.rows());
  const auto found = NeighborSearch(points, group, 2).search(rows.view(), 9);
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

/// All distances, sorted: every search has to find this, bit for bit.
GroupedNeighbors plain_search(const Matrix& points, std::span<const std::size_t> group,
                              std::size_t groups, std::span<const double> row, std::size_t count) {
  GroupedNeighbors found(groups);
  for (std::size_t n = 0; n < points.rows(); ++n)
    found[group[n]].push_back({squared_distance(row, points.row(n)), n});
  for (auto& own : found) {
    std::sort(own.begin(), own.end());
    own.resize(std::min(own.size(), count));
  }
  return found;
}

void scale(std::span<double> values, double factor) {
  for (double& value : values) value *= factor;
}

/// Squares vanish in double or in single precision; both can do; double can; the largest that
/// models take is 1e100.
constexpr std::array kUnits = {1.0, 1e-160, 1e-22, 1e-19, 1e14, 1.0, 1e17, 1e58};

/// Lines in every direction, some of them from points of the model and to them, at scales from
/// where squares vanish to the largest coordinates that models take, with single rows, starts or
/// entries far outside.
void expect_lines_found(std::uint64_t seed) {
  Random random(seed);
  const std::size_t features = 1 + random.below(40), groups = 1 + random.below(3);
  Matrix points = reference::random_matrix(random, 20 + random.below(1500), features);
  Matrix rows = reference::random_matrix(random, 1 + random.below(20), features);
  Matrix starts = reference::random_matrix(random, 1 + random.below(9), features);
  const double away = seed % 5 == 0 ? 1e4 : 0.0;  // too coarse for single precision
  for (Matrix* m : {&points, &rows, &starts}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      for (double& value : m->row(r)) {
        value += r % 2 == 0 ? away : -away;
        if (seed % 2 == 0) value = std::round(value);  // ties
      }
    }
  }
  if (seed % 3 == 0) std::ranges::copy(points.row(7), starts.row(0).begin());
  if (seed % 7 == 0) rows(0, 0) = 1e40;
  if (seed % 7 == 1) starts(0, 0) = -1e12;
  if (seed % 7 == 2) scale(rows.row(0), 300.0);
  if (seed % 7 == 3) scale(rows.row(0), 1e9);
  const double unit = kUnits[seed % kUnits.size()];
  for (Matrix* m : {&points, &rows, &starts}) {
    for (std::size_t r = 0; r < m->rows(); ++r) scale(m->row(r), unit);
  }
  std::vector<std::size_t> group;
  for (std::size_t n = 0; n < points.rows(); ++n) group.push_back(random.below(groups));
  std::vector<LineStep> steps;
  for (std::size_t s = 0; s < 1 + seed % 11; ++s)
    steps.push_back({random.below(starts.rows()), s == 3 ? 1.0 : s == 4 ? 0.0 : random.uniform()});
  const NeighborSearch search(points, group, groups);
  const std::size_t wanted = 1 + random.below(30);
  const Lines<double> lines{starts.view(), steps};
  Matrix at(rows.rows() * steps.size(), features);
  for (std::size_t q = 0; q < at.rows(); ++q)
    point_on_line(rows.row(q / steps.size()), lines, steps[q % steps.size()], at.row(q));
  std::vector<GroupedNeighbors> expected;
  for (std::size_t q = 0; q < at.rows(); ++q) {
    expected.push_back(plain_search(points, group, groups, at.row(q), wanted));
    ASSERT_EQ(search.search(at.view().rows(q, 1), wanted)[0], expected.back()) << "point " << q;
  }
  for (const unsigned threads : {1U, 3U})
    EXPECT_EQ(search.search_on_lines(rows.view(), lines, wanted, threads), expected);
}

TEST(NeighborSearch, FindsAtPointsAndOnLinesWhatAPlainLoopFindsAtAnyScale) {
  for (std::uint64_t seed = 0; seed < 224; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lines_found(seed);
  }
}

// Threads share the points of a row if these are many, also with ties.
TEST(NeighborSearch, ThreadsThatShareThePointsFindTheSame) {
  Random random(9);
  Matrix points = reference::random_matrix(random, 40000, 2);
  for (std::size_t n = 0; n < points.rows(); ++n) {
    for (std::size_t d = 0; d < 2; ++d) points(n, d) = std::round(20.0 * points(n, d));
  }
  const Matrix rows = reference::random_matrix(random, 3, 2);
  std::vector<std::size_t> group;
  for (std::size_t n = 0; n < points.rows(); ++n) group.push_back(random.below(2));
  const NeighborSearch search(points, group, 2);
  const auto alone = search.search(rows.view(), 11, 1);
  for (const unsigned threads : {2U, 5U})
    EXPECT_EQ(search.search(rows.view(), 11, threads), alone) << threads << " threads";
  for (std::size_t g = 0; g < 2; ++g) {
    const auto expected = reference::ranked(points, group, g, rows.row(0));
    for (std::size_t n = 0; n < 11; ++n) EXPECT_EQ(alone[0][g][n].index, expected[n].second);
  }
}

}  // namespace
}  // namespace bisector::linalg
