// The nearest points of every group, exactly: candidates come from inner products tile by tile, and
// distances computed from the differences decide among them, so that rounding never swaps
// neighbours and equal distances go to the lower index.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "core/linalg/point_panels.h"
#include "core/linalg/point_set.h"

namespace bisector::linalg {

struct Neighbor {
  double squared_distance;  // of other distances than the Euclidean, their sum over the features
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

/// The points of one group and what a search through them has to know.
struct PointGroup {
  SharedPoints points;
  double radius = 0.0;  // the largest distance of a point from the center
};

/// Groups of points by the centers that they share: `groups[n]` below `group_count` is the group of
/// point n.
std::vector<PointGroup> make_groups(const SharedMatrix& points, std::span<const std::size_t> groups,
                                    std::size_t group_count);

/// A search whose candidates are found in precision T. Both find the same neighbours, because the
/// distances that decide are double in either.
template <class T>
class CandidateSearch {
 public:
  /// With Panels::packed no copy of the points is kept, and every search packs them once.
  CandidateSearch(std::vector<PointGroup> groups, Panels panels);

  const std::vector<PointGroup>& groups() const { return groups_; }

  /// The `count` nearest points of each group (all of a smaller group) for every row. `found` is
  /// resized to one entry per row. With `crowded`, rows that have far more candidates than
  /// neighbours, because the rounding of T hides their order, are given up and listed there.
  void search(MatrixView<const double> rows, std::size_t count, unsigned threads,
              std::vector<GroupedNeighbors>& found,
              std::vector<std::size_t>* crowded = nullptr) const;

 private:
  struct Part;
  struct Query;
  struct Workspace;
  struct Tile;

  /// The panels of some points of a group, and their squared norms, padded with a large number.
  Tile tile(std::size_t group, std::size_t first, std::size_t count, Workspace& space) const;
  void set_limits(const Query& query, const Part& part, Workspace& space) const;
  void propose(const Query& query, const Part& part, Workspace& space) const;
  void search_part(const Query& query, const Part& part, Workspace& space,
                   std::vector<std::vector<Neighbor>>& nearest, std::vector<char>& given_up) const;

  std::vector<PointGroup> groups_;
  std::vector<PointPanels<T>> panels_;           // one per group
  std::vector<AlignedVector<T>> squared_norms_;  // of kept panels
};

/// The nearest points by any distance: all distances are computed, as they stand.
class DistanceSearch {
 public:
  DistanceSearch(std::vector<PointGroup> groups, const Distance& distance)
      : groups_(std::move(groups)), distance_(distance) {}

  void search(MatrixView<const double> rows, std::size_t count, unsigned threads,
              std::vector<GroupedNeighbors>& found) const;

 private:
  std::vector<PointGroup> groups_;
  Distance distance_;
};

/// The fastest search there is. Of Euclidean distances single precision proposes, and double
/// precision serves the rows for which that is too coarse and numbers whose squares it cannot hold.
class NeighborSearch {
 public:
  NeighborSearch(const SharedMatrix& points, std::span<const std::size_t> groups,
                 std::size_t group_count, const Distance& distance = {});

  const Matrix& points() const { return *points_; }
  /// One entry per row, at most kRowTile rows; see CandidateSearch::search.
  std::vector<GroupedNeighbors> search(MatrixView<const double> rows, std::size_t count,
                                       unsigned threads = 1) const;

 private:
  std::vector<GroupedNeighbors> search_euclidean(MatrixView<const double> rows, std::size_t count,
                                                 unsigned threads) const;
  std::vector<GroupedNeighbors> search_directions(MatrixView<const double> rows, std::size_t count,
                                                  unsigned threads) const;

  SharedMatrix points_;
  bool is_cosine_;                     // the points that are searched are at length one
  std::optional<DistanceSearch> any_;  // of other distances than the Euclidean
  CandidateSearch<double> f64_;
  std::optional<CandidateSearch<float>> f32_;
};

}  // namespace bisector::linalg
