// The changes that a row's columns allow, and their lengths in the model's space.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/flip.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// One row of input features.
using Row = std::vector<double>;

/// from + fraction (to - from); equal entries stay as they are.
Row blend(const Row& from, const Row& to, double fraction);

class ChangeSpace {
 public:
  /// Throws InvalidInput unless every feature is in exactly one column, and levels, ranges and
  /// decimals are valid.
  ChangeSpace(const Model& model, std::vector<FlipColumn> columns);

  const std::vector<FlipColumn>& columns() const { return columns_; }
  /// The same space with one more column that must not change.
  ChangeSpace without(std::size_t column) const;

  /// Euclidean distance of two rows in the model's space; a changed category counts its weight.
  double distance(std::span<const double> a, std::span<const double> b) const;
  /// The distance of two rows if columns that must not change are left out, and as if the model had
  /// no matrix in front.
  double movable_distance(std::span<const double> a, std::span<const double> b) const;
  /// Nearest to x first; equal distances stay in their order.
  void sort_by_distance(std::span<const double> x, std::vector<Row>& rows) const;
  /// The part of one column in the squared distance, as if no other column changed.
  double squared_part(std::size_t column, std::span<const double> a,
                      std::span<const double> b) const;
  /// The distance in the model's space per unit of an input feature.
  double unit_length(std::size_t feature) const { return unit_lengths_[feature]; }

  struct Range {
    double lowest, highest;
  };
  /// The values that a number may take in changes of row x.
  Range range(std::size_t column, std::span<const double> x) const;

  bool differs(std::size_t column, std::span<const double> a, std::span<const double> b) const;
  void copy(std::size_t column, std::span<const double> from, std::span<double> to) const;
  std::vector<std::size_t> changed(std::span<const double> a, std::span<const double> b) const;

  /// The nearest values to `row` that changes of x can have, before rounding.
  Row constrained(std::span<const double> x, std::span<const double> row) const;
  /// x with the levels of `row`.
  Row with_levels(std::span<const double> x, std::span<const double> row) const;
  /// The levels, other than x's own, that a column of levels may take.
  std::vector<std::size_t> reachable_levels(std::size_t column, std::span<const double> x) const;
  void set_level(std::size_t column, std::size_t level, std::span<double> row) const;

  enum class Rounding { nearest, away };
  /// The changed numbers of `row` as their columns are written, inside their ranges.
  Row rounded(std::span<const double> x, std::span<const double> row, Rounding rounding) const;
  /// The value of the last digit with which a number is written; 0 for other columns.
  double last_digit(std::size_t column) const;
  /// `row` with one number closer to x by its last digit.
  Row one_digit_back(std::size_t column, std::span<const double> x,
                     std::span<const double> row) const;

 private:
  void set_movable_lengths();
  /// The position of the level that is nearest to a row's features.
  std::size_t nearest_level(std::size_t column, std::span<const double> row) const;
  bool is_allowed(std::size_t column, std::size_t from, std::size_t to) const;
  double rounded_number(std::size_t column, double own, double value, const Range& range,
                        Rounding rounding) const;

  Model model_;
  std::vector<FlipColumn> columns_;
  std::vector<double> unit_lengths_;
  std::vector<double> movable_lengths_;  // unit lengths; 0 if the column must not change
};

// The points of a model as rows of its input space.

/// One row per point. Empty if a matrix in front of the model cannot be inverted.
inline Matrix point_rows(const Model& model) {
  const AffineMap& input = model.input();
  if (input.has_matrix()) return Matrix(0, model.features());
  if (input.is_identity()) return model.points();
  Matrix rows = model.points();
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t d = 0; d < rows.cols(); ++d)
      rows(r, d) = rows(r, d) / input.scale()[d] + input.shift()[d];
  return rows;
}

}  // namespace bisector::detail
