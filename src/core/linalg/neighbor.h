// The results of searches for the nearest points, and the groups of points that are searched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/linalg/point_set.h"

namespace bisector::linalg {

struct Neighbor {
  double squared_distance;  // for other distances, their sum over the features
  std::size_t index;        // of the point, as it was given

  /// Nearer first; of equals, the lower index first.
  friend bool operator<(const Neighbor& a, const Neighbor& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance
                                                    : a.index < b.index;
  }
  bool operator==(const Neighbor&) const = default;
};

/// For one row: the nearest points of every group, nearest first.
using GroupedNeighbors = std::vector<std::vector<Neighbor>>;

/// The points of one group.
struct PointGroup {
  SharedPoints points;
  double radius = 0.0;  // the largest distance of a point from the center
};

/// Some points of one group, which are searched together.
struct GroupPart {
  std::size_t group, first, count;
};

/// Merges the nearest of further points of a group into `nearest`, which keeps at most `count`.
inline void merge_nearest(std::vector<Neighbor>& nearest, std::vector<Neighbor>&& further,
                          std::size_t count) {
  if (nearest.empty()) {
    nearest = std::move(further);
    return;
  }
  const auto middle = static_cast<std::ptrdiff_t>(nearest.size());
  nearest.insert(nearest.end(), further.begin(), further.end());
  std::inplace_merge(nearest.begin(), nearest.begin() + middle, nearest.end());
  nearest.resize(std::min(nearest.size(), count));
}

}  // namespace bisector::linalg
