#include "core/linalg/neighbor.h"

#include <algorithm>
#include <functional>

#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {

std::vector<GroupPart> group_parts(std::span<const PointGroup> groups, unsigned threads) {
  constexpr std::size_t kLeastPart = 4 * kPointTile;  // points that are worth a part of their own
  const std::size_t shares = threads == 1 ? 1 : 2 * util::resolve_threads(threads);
  std::vector<GroupPart> parts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t size = groups[g].points->size();
    for (std::size_t first = 0; first < size;) {
      const std::size_t share = round_up((size - first + shares - 1) / shares, kPointTile);
      const std::size_t count = std::min(std::max(share, kLeastPart), size - first);
      parts.push_back({g, first, count});
      first += count;
    }
  }
  std::ranges::stable_sort(parts, std::greater<>(), &GroupPart::count);
  return parts;
}

}  // namespace bisector::linalg
