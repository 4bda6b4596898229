// Searches of the points of all groups by several threads: the points are split into parts, and the
// neighbors of a group are the nearest of the neighbors of its parts.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/linalg/neighbor.h"
#include "core/util/parallel.h"

namespace bisector::linalg {

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
