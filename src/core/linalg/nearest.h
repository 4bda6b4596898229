// The nearest points of every group, exactly: candidates come from inner products tile by tile and
// are settled by distances computed from the differences, so that rounding never swaps neighbours
// and equal distances go to the lower index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/aligned_vector.h"
#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {

struct Neighbor {
  double squared_distance;
  std::size_t index;  // of the point, as it was given

  /// Nearer first; of equals, the lower index first.
  friend bool operator<(const Neighbor& a, const Neighbor& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance
                                                    : a.index < b.index;
  }
  bool operator==(const Neighbor&) const = default;
};

/// For one row: the nearest points of every group, nearest first.
using GroupedNeighbors = std::vector<std::vector<Neighbor>>;

/// The points of one group, ready for products.
template <class T>
struct PointGroup {
  PackedMatrix<T> points;            // D x size, centred
  AlignedVector<T> squared_norms;    // padded with a large number
  std::vector<std::size_t> indices;  // of the points, ascending
  double radius = 0.0;               // the largest norm of a point
};

template <class T>
class NearestSearch {
 public:
  /// `points` SxD; `groups[n]` below `group_count` is the group of point n.
  NearestSearch(Matrix points, std::span<const std::size_t> groups, std::size_t group_count);

  const Matrix& points() const { return points_; }

  /// The `count` nearest points of each group (all of a smaller group) for every row, at most
  /// kRowTile rows of D columns. `found` is resized to one entry per row. With `crowded`, rows that
  /// have far more candidates than neighbours, because the rounding of T hides their order, are
  /// given up and listed there.
  void search(MatrixView<const double> rows, std::size_t count,
              std::vector<GroupedNeighbors>& found,
              std::vector<std::size_t>* crowded = nullptr) const;

 private:
  Matrix points_;
  std::vector<double> center_;
  std::vector<PointGroup<T>> groups_;
};

/// The fastest search there is: single precision proposes, and double precision serves the rows for
/// which that is too coarse and numbers whose squares it cannot hold. Both find the same
/// neighbours, because the distances that decide are double in either.
class NeighborSearch {
 public:
  NeighborSearch(const Matrix& points, std::span<const std::size_t> groups,
                 std::size_t group_count);

  const Matrix& points() const { return f64_.points(); }
  /// One entry per row, at most kRowTile rows; see NearestSearch::search.
  std::vector<GroupedNeighbors> search(MatrixView<const double> rows, std::size_t count) const;

 private:
  NearestSearch<double> f64_;
  std::optional<NearestSearch<float>> f32_;
};

}  // namespace bisector::linalg
