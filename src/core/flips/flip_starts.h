// Flipped rows from which the search for the flips of one row starts.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/flips/row_goal.h"

namespace bisector::detail {

class FlipStarts {
 public:
  FlipStarts(const RowGoal& goal, const ChangeSpace& space, std::size_t most_changes)
      : goal_(goal), space_(space), most_changes_(most_changes) {}

  /// Flipped rows close to the boundary, at most `count` in different directions, nearest first.
  std::vector<Row> find(std::size_t count) const;

 private:
  /// Flipped rows anywhere, with at most most_changes_ changes.
  std::vector<Row> flipped_rows() const;
  /// Adds the proposed rows that flip.
  void add_flipped(std::vector<Row> proposed, std::vector<Row>& rows) const;
  /// The nearest flipped examples, as far as the columns may change.
  std::vector<Row> examples() const;
  /// The nearest points of other classes, if a model has too many points for the examples.
  void propose_neighbors(std::vector<Row>& rows) const;
  /// Other levels of one column, and the ends of the range of one number.
  std::vector<Row> single_changes(bool with_numbers) const;
  /// Steps along the gradient, at most this long.
  std::vector<Row> steepest(double farthest) const;
  /// Takes over as few columns of the start as flip, at most most_changes_.
  std::optional<Row> with_few_changes(const Row& start) const;
  /// Takes back changed levels that are not needed.
  void reset_levels(std::vector<Row>& rows) const;
  /// A line from a row that is not flipped to a flipped row.
  struct Line {
    Row from, to;
  };
  /// Halves the lines.
  void approach(std::vector<Line>& lines) const;
  /// The same to the end, for a majority of neighbors; false: nothing was done. Lines that are
  /// likely to end farther away than `kept_lines` others are left out.
  bool approach_neighbors(std::vector<Line>& lines, std::size_t kept_lines) const;
  /// Moves flipped rows toward x until they are close to the boundary, nearest first; levels stay.
  /// The nearest ones, at least `count`, are kept.
  std::vector<Row> on_boundary(std::vector<Row> rows, std::size_t count) const;
  /// The nearest rows that are not close to a nearer one, then the others.
  std::vector<Row> different(const std::vector<Row>& rows, std::size_t count) const;

  const RowGoal& goal_;
  const ChangeSpace& space_;
  std::size_t most_changes_;
};

}  // namespace bisector::detail
