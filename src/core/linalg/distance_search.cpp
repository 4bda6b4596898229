#include "core/linalg/distance_search.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "core/linalg/distance_kernel.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/row_distance.h"
#include "core/util/parallel.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of the panel width.
constexpr std::size_t kTile = 240;
/// Tiles that are worth a part of their own.
constexpr std::size_t kTilesPerPart = 16;

/// The nearest so far of one row, and the distance beyond which nothing is among them.
class Nearest {
 public:
  explicit Nearest(std::size_t count) : count_(count) {}

  void add(std::span<const double> sums, const PointSet& points, std::size_t first) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (!(sums[k] <= limit_)) continue;
      kept_.push_back({sums[k], points.index(first + k)});
      if (kept_.size() >= 2 * count_ + kTile) prune();
    }
    // A first limit as soon as there can be one.
    if (kept_.size() > count_ && limit_ == std::numeric_limits<double>::infinity()) prune();
  }

  std::vector<Neighbor> sorted() && {
    prune();
    std::ranges::sort(kept_, std::less<>());
    return std::move(kept_);
  }

 private:
  void prune() {
    if (kept_.size() < count_ || count_ == 0) return;
    const auto nth = kept_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(kept_.begin(), nth, kept_.end());
    limit_ = nth->squared_distance;
    kept_.resize(count_);
  }

  std::size_t count_;
  double limit_ = std::numeric_limits<double>::infinity();
  std::vector<Neighbor> kept_;
};

}  // namespace

/// Some points of one group.
struct DistanceSearch::Part {
  std::size_t group, first, count;
};

struct DistanceSearch::Workspace {
  explicit Workspace(std::size_t rows) : sums(rows * kTile) {}

  AlignedVector<double> sums, panels;
  std::vector<const double*> starts;
  PowerProposals::Workspace proposals;
};

DistanceSearch::DistanceSearch(std::span<const PointGroup> groups, const Distance& distance)
    : distance_(distance) {
  const bool proposes =
      PowerProposals::serve(distance_) && std::ranges::all_of(groups, [](const PointGroup& group) {
        return group.radius <= kLargestForSingle;
      });
  for (const PointGroup& group : groups) {
    const std::vector<double> zero(group.points->features(), 0.0);
    groups_.push_back(std::make_shared<const PointSet>(group.points->relative_to(zero)));
    if (has_exact_kernel(distance_))
      panels_.emplace_back(groups_.back(),
                           is_of_categories(distance_) ? Panels::packed : Panels::kept);
    if (proposes) proposals_.emplace_back(group, distance_.power());
  }
}

/// The sums of the distances from every row to the points of a tile, rows x kTile.
void DistanceSearch::set_sums(MatrixView<const double> rows, const Part& tile,
                              Workspace& space) const {
  constexpr std::size_t kFew = 4;  // rows that do not pay for packing
  if (!panels_.empty() && !(is_of_categories(distance_) && rows.rows() < kFew)) {
    const PointPanels<double>& panels = panels_[tile.group];
    const double* points = panels.tile(tile.first, tile.count, space.panels);
    const std::size_t padded = round_up(tile.count, PointPanels<double>::kWidth);
    kernel_sums(distance_, rows, points, panels.stride(), padded, space.sums.data(), kTile);
    return;
  }
  space.starts.clear();
  for (std::size_t n = 0; n < tile.count; ++n)
    space.starts.push_back((*groups_[tile.group])[tile.first + n].data());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    distance_sums(distance_, rows.row(r), space.starts,
                  {space.sums.data() + r * kTile, tile.count});
}

/// The nearest of a part's points by their sums, for rows that have not too many possible
/// neighbors.
std::vector<std::vector<Neighbor>> DistanceSearch::decide_proposed(MatrixView<const double> rows,
                                                                   const Part& part,
                                                                   std::size_t count,
                                                                   Workspace& space) const {
  const PointSet& points = *groups_[part.group];
  auto proposed =
      proposals_[part.group].propose(rows, part.first, part.count, count, space.proposals);
  std::vector<std::vector<Neighbor>> result;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    constexpr std::size_t kPower = 64;  // one costs as much as 64 terms of other distances
    const RowDistance from(distance_, rows.row(r));
    std::vector<Neighbor>& nearest = result.emplace_back();
    const auto& entries = proposed[r].entries(kPower * rows.cols());
    if (proposed[r].is_crowded()) {
      nearest = std::move(search_all(rows.rows(r, 1), part, count, space)[0]);
      continue;
    }
    for (const auto& entry : entries)
      nearest.push_back({from.sum(points[entry.position].data()), points.index(entry.position)});
    std::ranges::sort(nearest, std::less<>());
    nearest.resize(std::min(nearest.size(), count));
  }
  return result;
}

std::vector<std::vector<Neighbor>> DistanceSearch::search_part(MatrixView<const double> rows,
                                                               const Part& part, std::size_t count,
                                                               Workspace& space) const {
  const bool are_proposed = !proposals_.empty() && fits_single(rows);
  return are_proposed ? decide_proposed(rows, part, count, space)
                      : search_all(rows, part, count, space);
}

std::vector<std::vector<Neighbor>> DistanceSearch::search_all(MatrixView<const double> rows,
                                                              const Part& part, std::size_t count,
                                                              Workspace& space) const {
  std::vector<Nearest> nearest(rows.rows(), Nearest(count));
  for (std::size_t begin = 0; begin < part.count; begin += kTile) {
    const Part tile{part.group, part.first + begin, std::min(kTile, part.count - begin)};
    set_sums(rows, tile, space);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      nearest[r].add({space.sums.data() + r * kTile, tile.count}, *groups_[part.group], tile.first);
  }
  std::vector<std::vector<Neighbor>> result;
  for (Nearest& of_row : nearest) result.push_back(std::move(of_row).sorted());
  return result;
}

/// The nearest of all are among the nearest of each part, so the parts change nothing.
std::vector<DistanceSearch::Part> DistanceSearch::parts_for(unsigned threads) const {
  std::vector<Part> parts;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t size = groups_[g]->size();
    const std::size_t step = threads == 1 ? std::max<std::size_t>(size, 1) : kTilesPerPart * kTile;
    for (std::size_t first = 0; first < size; first += step)
      parts.push_back({g, first, std::min(step, size - first)});
  }
  return parts;
}

void DistanceSearch::search(MatrixView<const double> rows, std::size_t count, unsigned threads,
                            std::vector<GroupedNeighbors>& found) const {
  const std::vector<Part> parts = parts_for(threads);
  std::vector<std::vector<std::vector<Neighbor>>> nearest(parts.size());
  util::parallel_for(parts.size(), threads, [&] {
    return [&, space = Workspace(rows.rows())](std::size_t p) mutable {
      nearest[p] = search_part(rows, parts[p], count, space);
    };
  });
  found.assign(rows.rows(), GroupedNeighbors(groups_.size()));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t r = 0; r < rows.rows(); ++r)
      merge_nearest(found[r][parts[p].group], std::move(nearest[p][r]), count);
  }
}

}  // namespace bisector::linalg
