// The points of a neighbor model in the order of their distances from one row x. Rows close to x
// have their neighbors among the first of them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/flips/neighbor_regions.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/packed_matrix.h"

// Points in the order of their distances from one row x, for many rows y around x.

namespace bisector::linalg {

class OrderedPoints {
 public:
  static constexpr std::size_t kBlock = 2 * PackedMatrix<double>::kWidth;

  OrderedPoints() = default;
  /// Of these rows of `points`.
  OrderedPoints(const Matrix& points, std::span<const std::size_t> rows, std::span<const double> x);

  std::size_t size() const { return order_.size(); }
  /// The row in `points` of the point at a position, nearest first.
  std::size_t row(std::size_t position) const { return order_[position].index; }
  /// The distance of a point from x, not squared.
  double distance(std::size_t position) const { return distances_[position]; }
  /// The number of points that are not farther from x than this.
  std::size_t within(double distance) const;

  /// values[i] = (point - x) . direction for the points from `first`, a multiple of kBlock, to
  /// before `last`. Writes whole blocks: `values` is as long as the next multiple of kBlock.
  void multiply(std::span<const double> direction, std::size_t first, std::size_t last,
                double* values) const;
  /// The same with |point - y|^2 - |x - y|^2 for y = x + moved.
  void relative_squares(std::span<const double> moved, std::size_t first, std::size_t last,
                        double* values) const;

 private:
  std::vector<Neighbor> order_;
  std::vector<double> distances_;
  PackedMatrix<double> relative_;  // point - x
};

}  // namespace bisector::linalg

namespace bisector::detail {

class RowNeighbors {
 public:
  /// `x` is a row of the model's space that is predicted as class `own`. Expects has_majority().
  /// `regions` must live as long as this object.
  RowNeighbors(const NeighborRegions& regions, std::span<const double> x, std::size_t own);

  /// True if the majority at y is not of x's class. Distances that are equal up to rounding may be
  /// ordered otherwise than in the prediction.
  bool flips(std::span<const double> y) const;

  /// The ends of the changes that features may make.
  struct Box {
    std::vector<std::size_t> features;
    std::vector<double> lowest, highest;
  };
  /// Polyhedra by the points that decide in them. Rows that enter the same polyhedron take the same
  /// steps from there, if they agree in all features outside the same box.
  using Polyhedra = std::set<std::vector<std::size_t>>;
  /// Moves a flipped row toward x, from polyhedron to polyhedron. In each, enough points of the
  /// other class stay nearer than those of x's class; the nearest point is a quadratic program.
  /// Only the features of the box move. Leaves out polyhedra that are in `visited`, and adds
  /// others.
  std::vector<double> approach(std::vector<double> row, const Box& box, Polyhedra& visited) const;

 private:
  /// The points that decide at a row: the other class wins if its last voter is nearer than the
  /// own class's point that it has to outvote. All farther points of the own class are rivals.
  struct Votes {
    std::vector<std::size_t> voters;  // positions in others_
    std::vector<std::size_t> free;    // positions in owns_ of the points that may be nearer
    bool flips = false;
  };
  /// Empty unless they flip.
  Votes votes_at(std::span<const double> y) const;
  /// The point nearest to x at which the voters are nearer than the rivals; it may miss the
  /// polyhedron by rounding.
  struct Corner {
    std::vector<double> y;
    /// Positions in owns_ of the rivals that keep y from being nearer, and how much they do.
    std::map<std::size_t, double> rivals;
  };
  Corner nearest_in_polyhedron(const Votes& votes, std::span<const double> inside,
                               const Box& box) const;
  /// The points that decide in the next polyhedron, at the corner of another: as many of the rivals
  /// that keep it from being nearer become free as can.
  Votes votes_at(const Corner& corner) const;
  std::vector<double> from_x(std::span<const double> y) const;
  std::span<const double> voter(std::size_t position) const;
  std::span<const double> own(std::size_t position) const;

  const NeighborRegions& regions_;
  std::vector<double> x_;
  std::size_t voters_needed_, owns_needed_;
  linalg::OrderedPoints others_, owns_;  // the points of other classes, and of x's class
};

}  // namespace bisector::detail
