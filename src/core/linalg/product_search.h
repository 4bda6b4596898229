// Nearest points by inner products: tile by tile, they propose points that may be among the
// nearest, and distances computed from the differences decide among them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/lines.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/point_set.h"

namespace bisector::linalg {

/// The points of every group, relative to the mean of all points. `groups[n]`, below `group_count`,
/// is the group of point n.
std::vector<PointGroup> make_groups(const SharedMatrix& points, std::span<const std::size_t> groups,
                                    std::size_t group_count);

/// A search whose possible neighbors are found in precision T. Both find the same neighbors,
/// because the distances that decide are double in either.
template <class T>
class ProductSearch {
 public:
  /// With Panels::packed no copy of the points is kept, and every search packs them once.
  ProductSearch(std::vector<PointGroup> groups, Panels panels);

  const std::vector<PointGroup>& groups() const { return groups_; }

  /// The `count` nearest points of each group (all of a smaller group) for every row, one entry per
  /// row. With `crowded`, rows that have far more possible neighbors than neighbors, because the
  /// rounding of T hides their order, are given up and listed there.
  std::vector<GroupedNeighbors> search(MatrixView<const double> rows, std::size_t count,
                                       unsigned threads,
                                       std::vector<std::size_t>* crowded = nullptr) const;
  /// The same at the points on the lines to the rows, row by row: one entry for every row and step.
  /// The inner products of a point on a line are those of its ends, blended, so that rows and
  /// starts are multiplied with the points once for all steps.
  std::vector<GroupedNeighbors> search_on_lines(MatrixView<const double> rows,
                                                const Lines<double>& lines, std::size_t count,
                                                unsigned threads,
                                                std::vector<std::size_t>* crowded = nullptr) const;

 private:
  struct Query;
  struct Workspace;
  struct Tile;

  /// The panels of some points of a group, and their squared norms, padded with a large number.
  Tile tile(std::size_t group, std::size_t first, std::size_t count, Workspace& space) const;
  void set_limits(const Query& query, const GroupPart& part, Workspace& space) const;
  void propose(const Query& query, const GroupPart& part, Workspace& space) const;
  void propose_on_lines(const Query& rows, const Query& starts, std::span<const LineStep> steps,
                        const GroupPart& part, Workspace& space) const;
  /// propose(part, space) leaves the possible neighbors of `queries` points, of which
  /// point_of(query, buffer) is one, in a workspace for `rows` rows; distances decide among them.
  template <class Propose, class PointOf>
  std::vector<GroupedNeighbors> search_queries(std::size_t queries, std::size_t rows,
                                               std::size_t count, unsigned threads,
                                               const Propose& propose, const PointOf& point_of,
                                               std::vector<std::size_t>* crowded) const;

  std::vector<PointGroup> groups_;
  std::vector<PointPanels<T>> panels_;           // one per group
  std::vector<AlignedVector<T>> squared_norms_;  // of kept panels
};

}  // namespace bisector::linalg
