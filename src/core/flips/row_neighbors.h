// The points of a neighbor model in the order of their distances from one row x. Rows close to x
// have their neighbors among the first of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/flips/neighbor_regions.h"
#include "core/linalg/neighbor.h"

namespace bisector::detail {

class RowNeighbors {
 public:
  /// `x` is a row of the model's space. `regions` must live as long as this object.
  RowNeighbors(const NeighborRegions& regions, std::span<const double> x);

  /// True if the majority at y is not of class `own`. Distances that are equal up to rounding may
  /// be ordered otherwise than in the prediction. Expects has_majority(), as do the functions
  /// below.
  bool flips(std::span<const double> y, std::size_t own) const { return votes_at(y, own).flips; }
  /// The smallest fraction of the line from x to a flipped row at which the majority flips, by
  /// bisection in this many steps.
  double crossing(std::span<const double> to, std::size_t own, int steps) const;

  /// The ends of the changes that features may make.
  struct Box {
    std::vector<std::size_t> features;
    std::vector<double> lowest, highest;
  };
  /// Moves a flipped row toward x, from polyhedron to polyhedron. In each, enough points of the
  /// other class stay nearer than those of class `own`; the nearest point is a quadratic program.
  /// Only the features of the box move.
  std::vector<double> approach(std::vector<double> row, std::size_t own, const Box& box) const;

 private:
  /// The points that decide at a row: the other class wins if its last voter is nearer than the
  /// own class's point that it has to outvote. All farther points of the own class are rivals.
  struct Votes {
    std::vector<std::size_t> voters, free;  // free: points of class `own` that may be nearer
    bool flips;
  };
  Votes votes_at(std::span<const double> y, std::size_t own) const;
  /// The point nearest to x at which the voters are nearer than the rivals; it may miss the
  /// polyhedron by rounding.
  std::vector<double> nearest_in_polyhedron(const Votes& votes, std::span<const double> inside,
                                            std::size_t own, const Box& box) const;
  /// The points of class `own` that may be nearer than a voter, no farther from `base` than
  /// `inside` is.
  std::vector<std::size_t> rivals(const Votes& votes, std::span<const double> base,
                                  std::span<const double> inside, std::size_t own) const;
  double distance(std::span<const double> y) const;
  /// direction . (point - x)
  double slope(std::span<const double> direction, std::span<const double> point) const;

  const NeighborRegions& regions_;
  std::vector<double> x_;
  std::vector<linalg::Neighbor> order_;  // nearest first; distances, not their squares
  std::vector<double> squares_;          // of these distances
};

}  // namespace bisector::detail
