// The results of searches for the nearest points, and the groups of points that are searched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/linalg/point_set.h"
#include "core/util/parallel.h"

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

// Searches of the points of all groups by several threads: the points are split into parts, and the
// neighbors of a group are the nearest of the neighbors of its parts.

/// Points per tile of a search, a multiple of all panel widths.
inline constexpr std::size_t kPointTile = 480;

/// The parts of the groups, largest first. There are few, because each part has to find a limit of
/// its own; the last ones are small, so that no thread waits long for another at the end.
std::vector<GroupPart> group_parts(std::span<const PointGroup> groups, unsigned threads);

/// The neighbors of `queries` queries. Each thread makes a worker by make_worker(); worker(part)
/// returns the `count` nearest points of the part for each query, or nullopt if it gave a query up.
/// Queries that some worker gave up are listed in `crowded`.
template <class MakeWorker>
std::vector<GroupedNeighbors> search_parts(std::span<const PointGroup> groups, std::size_t queries,
                                           std::size_t count, unsigned threads,
                                           const MakeWorker& make_worker,
                                           std::vector<std::size_t>* crowded) {
  const std::vector<GroupPart> parts = group_parts(groups, threads);
  std::vector<std::vector<std::optional<std::vector<Neighbor>>>> nearest(parts.size());
  util::parallel_for(parts.size(), threads, [&] {
    return [&, worker = make_worker()](std::size_t p) mutable { nearest[p] = worker(parts[p]); };
  });
  std::vector<GroupedNeighbors> found(queries, GroupedNeighbors(groups.size()));
  for (std::size_t q = 0; q < queries; ++q) {
    bool is_crowded = false;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      is_crowded = is_crowded || !nearest[p][q];
      if (nearest[p][q]) merge_nearest(found[q][parts[p].group], std::move(*nearest[p][q]), count);
    }
    if (is_crowded) crowded->push_back(q);
  }
  return found;
}

}  // namespace bisector::linalg
