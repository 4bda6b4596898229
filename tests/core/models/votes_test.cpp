#include "core/models/votes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace bisector::detail {
namespace {

struct Point {
  double squared_distance;
  std::size_t label;
};

std::size_t winner_of(const std::vector<Point>& points, std::size_t k, std::size_t classes) {
  std::vector<std::size_t> votes(classes, 0);
  for (std::size_t n = 0; n < k; ++n) ++votes[points[n].label];
  return winner(votes);
}

/// Every order of equally far points, one after the other.
bool depends_on_order_by_trying(std::vector<Point> points, std::size_t k, std::size_t classes) {
  const auto less = [](const Point& a, const Point& b) {
    return std::pair(a.squared_distance, a.label) < std::pair(b.squared_distance, b.label);
  };
  std::ranges::sort(points, less);
  const std::size_t first = winner_of(points, k, classes);
  const double kth = points[k - 1].squared_distance;
  const auto equal = std::ranges::equal_range(points, kth, {}, &Point::squared_distance);
  do {
    if (winner_of(points, k, classes) != first) return true;
  } while (std::next_permutation(equal.begin(), equal.end(), less));
  return false;
}

TEST(NeighborVotes, AnOrderOfEqualDistancesThatDecidesIsFound) {
  std::size_t open = 0, settled = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const std::size_t classes = 2 + random() % 3, count = 4 + random() % 5;
    const std::size_t k = 1 + random() % count;
    std::vector<Point> points;
    linalg::GroupedNeighbors nearest(classes);
    for (std::size_t n = 0; n < count; ++n) {
      points.push_back({static_cast<double>(random() % 3), random() % classes});
      nearest[points[n].label].push_back({points[n].squared_distance, n});
    }
    for (auto& group : nearest) std::sort(group.begin(), group.end());
    // With the lowest index first the winner may be another of the possible ones.
    const bool wanted = depends_on_order_by_trying(points, k, classes);
    EXPECT_EQ(depends_on_order(nearest, neighbor_votes(nearest, k), k), wanted);
    ++(wanted ? open : settled);
  }
  EXPECT_GT(open, 300u);
  EXPECT_GT(settled, 300u);
}

}  // namespace
}  // namespace bisector::detail
