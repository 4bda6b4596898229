// Flips as they are written: rounded, and without unneeded changes.
#pragma once

#include <optional>
#include <vector>

#include "core/flips/row_goal.h"

namespace bisector::detail {

class FlipEnding {
 public:
  FlipEnding(const RowGoal& goal, const ChangeSpace& space) : goal_(goal), space_(space) {}

  /// The row as it is written, without unneeded changes; nothing if rounding ends the flip.
  std::optional<Row> finished(const Row& row);

 private:
  /// The same; unless `is_exact_`, predictions at equal distances from two points may differ.
  std::optional<Row> attempt(const Row& row) const;
  std::vector<bool> flips(const std::vector<Row>& rows) const {
    return is_exact_ ? goal_.flips(rows) : goal_.likely_flips(rows);
  }
  std::optional<Row> written(const Row& row) const;
  /// Takes changes back as long as the row flips without one of them, the smallest first.
  void remove_unneeded(Row& row) const;
  /// True for levels, and for numbers whose last digit matters for the distance.
  bool is_coarse(std::size_t column, double distance) const;
  /// Moves coarse numbers back by their last digit as long as the row flips.
  void shorten(Row& row) const;
  /// Moves the other numbers back together: after rounding, the coarse ones may be
  /// longer than needed.
  void shorten_fine(Row& row) const;

  const RowGoal& goal_;
  const ChangeSpace& space_;
  bool is_exact_ = true;
};

}  // namespace bisector::detail
