// Searches by distances that are not Euclidean, against sorting all of them.
#include "core/linalg/distance_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/random.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/row_distance.h"
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
    for (const Distance& distance : {Distance::manhattan(), Distance(3.0), Distance::hamming(3),
                                     Distance(1.0, {0.0, 0.7, 0.0})}) {
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

}  // namespace
}  // namespace bisector::linalg
