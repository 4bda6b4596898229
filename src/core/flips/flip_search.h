// The search for the flips of one row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/flip.h"
#include "bisector/predict.h"
#include "core/contrast/contrasts.h"
#include "core/flips/change_space.h"
#include "core/flips/neighbor_regions.h"

namespace bisector::detail {

/// The outcome of rows: classes, or the values of a regressor.
struct Outcomes {
  std::vector<std::size_t> classes;
  std::vector<double> values;
  std::vector<bool> are_known;  // false: no neighbor is within the radius of the row
};

/// What all searches of one model share.
struct FlipModel {
  Model model;
  DecisionFunction decide;
  Contrasts contrasts;
  std::optional<NeighborRegions> regions;
  Matrix examples;    // rows of data, then points of the model
  Outcomes outcomes;  // of the examples
  std::optional<double> reach;
  std::optional<std::size_t> to_class;

  Outcomes predict(MatrixView<const double> rows) const;
};

class FlipSearch {
 public:
  FlipSearch(const FlipModel& shared, std::span<const double> row, std::size_t most_changes);

  std::size_t prediction() const { return own_.classes.empty() ? 0 : own_.classes[0]; }
  double value() const { return own_.values.empty() ? 0.0 : own_.values[0]; }
  /// True if the row already has the class that is to be reached.
  bool is_there() const;
  /// True if the example has the outcome that is to be reached.
  bool is_goal(const Outcomes& outcomes, std::size_t row) const;

  /// Answers with different sets of changed columns, nearest first.
  std::vector<Flip> run(const ChangeSpace& space) const;

 private:
  using Row = std::vector<double>;
  std::vector<bool> flips(const std::vector<Row>& rows) const;
  bool flips(const Row& row) const { return flips(std::vector<Row>{row})[0]; }

  /// Flipped rows from which the search starts.
  std::vector<Row> starts(const ChangeSpace& space) const;
  std::vector<Row> proposals(const ChangeSpace& space) const;
  void propose_examples(const ChangeSpace& space, std::vector<Row>& rows) const;
  void propose_single_changes(const ChangeSpace& space, std::vector<Row>& rows) const;
  void propose_steepest(const ChangeSpace& space, std::vector<Row>& rows) const;
  /// Rows that take over as few columns of the starts as flip, at most most_changes_.
  std::vector<Row> with_few_changes(const ChangeSpace& space, const std::vector<Row>& rows) const;

  void reset_levels(const ChangeSpace& space, std::vector<Row>& rows) const;
  /// Moves flipped rows toward the corresponding origins by bisection; levels stay.
  void approach(const ChangeSpace& space, std::vector<Row>& rows) const;
  /// The flipped row nearest to `from` on the line to the flipped row `to`, up to 1/8^rounds of it.
  Row nearest_on_line(const Row& from, const Row& to, int rounds) const;
  /// x with the levels of `row`.
  Row with_levels_of(const ChangeSpace& space, const Row& row) const;
  /// The numeric columns that a refinement of `row` may move.
  std::vector<std::size_t> movable(const ChangeSpace& space, const Row& row) const;

  Row refine(const ChangeSpace& space, Row row) const;
  std::optional<Row> polyhedron_step(const ChangeSpace& space, const Row& row) const;
  std::optional<Row> gradient_step(const ChangeSpace& space, const Row& row) const;
  /// The gradient of g by the input features, for the row's class against the class of `row`.
  std::optional<Row> gradient(const Row& row) const;

  /// Finished rows, nearest first.
  std::vector<Row> ends(const ChangeSpace& space) const;
  /// The row as it is written, without unneeded changes; nothing if rounding ends the flip.
  std::optional<Row> finished(const ChangeSpace& space, const Row& row) const;
  std::optional<Row> written(const ChangeSpace& space, const Row& row) const;
  void remove_unneeded(const ChangeSpace& space, Row& row) const;
  void shorten(const ChangeSpace& space, Row& row) const;

  const FlipModel& shared_;
  Row x_;
  std::size_t most_changes_;
  Outcomes own_;
};

}  // namespace bisector::detail
