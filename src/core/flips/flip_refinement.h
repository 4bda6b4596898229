// Shortens a flip of one row by local search on the boundary.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/flips/row_goal.h"

namespace bisector::detail {

class FlipRefinement {
 public:
  FlipRefinement(const RowGoal& goal, const ChangeSpace& space, std::size_t most_changes)
      : goal_(goal), space_(space), most_changes_(most_changes) {}

  /// A flipped row that is not farther from x, with the same levels. Where the refinement of a
  /// neighbor model meets that of an earlier row, it ends.
  Row refine(Row row);

 private:
  /// The numeric columns that may move.
  std::vector<std::size_t> movable(const Row& row) const;
  /// The change along the gradient from x to the plane on which the linear approximation of g at a
  /// row is 0.
  double needed(const Row& row, const std::vector<std::size_t>& columns,
                const RowGoal::Slope& slope) const;
  /// The row nearest to x on that plane, in the lengths of the model's space. Columns at the end of
  /// their range stay there.
  Row project(const Row& row, const std::vector<std::size_t>& columns, const Row& gradient,
              double needed) const;

  /// Sequential quadratic steps on g = 0; for smooth kernels.
  std::optional<Row> smooth(const Row& start) const;
  /// Steps from polyhedron to polyhedron; for a majority of neighbors.
  Row by_polyhedra(const Row& row);
  /// Projections on planes; for all models.
  Row by_planes(Row row) const;
  /// The projection on the plane that is perpendicular to the gradient of g, if it is shorter.
  std::optional<Row> plane_step(const Row& row) const;

  std::optional<Row> first_flipped(const std::vector<Row>& rows) const;
  /// The first flipped row on the line from a row that is not flipped to one that is.
  Row nearest_on_line(const Row& from, const Row& to) const;

  const RowGoal& goal_;
  const ChangeSpace& space_;
  std::size_t most_changes_;
  /// The polyhedra of earlier rows, by the rows' levels and movable columns.
  std::map<Row, RowNeighbors::Polyhedra> visited_;
};

}  // namespace bisector::detail
