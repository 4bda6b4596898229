// The outcome that the flips of one row have to reach, and what all searches of one model share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/predict.h"
#include "core/contrast/contrasts.h"
#include "core/flips/change_space.h"
#include "core/flips/neighbor_regions.h"
#include "core/flips/row_neighbors.h"

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
  Matrix examples;      // rows of data, then points of the model
  bool has_all_points;  // in the examples
  Outcomes outcomes;    // of the examples
  std::optional<double> reach;
  std::optional<std::size_t> to_class;

  Outcomes predict(MatrixView<const double> rows) const;
};

class RowGoal {
 public:
  RowGoal(const FlipModel& shared, std::span<const double> row);

  const FlipModel& shared() const { return shared_; }
  const Model& model() const { return shared_.model; }
  const Row& x() const { return x_; }
  std::size_t prediction() const { return own_.classes.empty() ? 0 : own_.classes[0]; }
  double value() const { return own_.values.empty() ? 0.0 : own_.values[0]; }
  /// True if the row already has the class that is to be reached.
  bool is_there() const;
  /// True if the row of the outcomes has the outcome that is to be reached.
  bool is_goal(const Outcomes& outcomes, std::size_t row) const;

  Outcomes outcome(const Row& row) const { return shared_.predict({row.data(), 1, row.size()}); }
  std::vector<bool> flips(const std::vector<Row>& rows) const;
  bool flips(const Row& row) const { return is_goal(outcome(row), 0); }
  /// The same for rows of the search, faster; rows at equal distances from two points may differ.
  std::vector<bool> likely_flips(const std::vector<Row>& rows) const;
  /// The first of these rows that flips.
  std::optional<std::size_t> first_likely(const std::vector<Row>& rows) const;
  /// The neighbors around x; null unless a majority of neighbors decides and no matrix is in front
  /// of the model.
  const RowNeighbors* neighbors() const { return neighbors_ ? &*neighbors_ : nullptr; }

  /// The contrast of the row's class against the class of `other`; null if a pool is empty, or if
  /// it is not clear which class to compare with.
  const Contrast* contrast(const Row& other) const;
  /// 1 if g decreases toward the goal, and else -1.
  double sign() const { return is_rising() ? -1.0 : 1.0; }

  /// g and its gradient by the input features, with the sign with which g is negative at the goal.
  /// Kernel machines alone have a value, the others 0.
  struct Slope {
    double value = 0.0;
    Row gradient;
  };
  /// One entry per row, empty if a number is not finite.
  std::vector<std::optional<Slope>> slopes(const Contrast& contrast,
                                           const std::vector<Row>& rows) const;
  /// The rows behind the model's preprocessing.
  Matrix in_model_space(const std::vector<Row>& rows) const;

 private:
  bool is_rising() const;

  const FlipModel& shared_;
  Row x_;
  Outcomes own_;
  std::optional<RowNeighbors> neighbors_;
};

}  // namespace bisector::detail
