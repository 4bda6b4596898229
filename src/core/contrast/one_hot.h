// Categories as one-hot columns, between which straight paths exist: on a path a category is a
// convex combination of two levels. Distances stay the same: half of a category's weight for the
// column of the row's level, and half for the column of the point's level.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

class OneHot {
 public:
  /// The largest number of columns.
  static constexpr std::size_t kMaxColumns = 2000;

  /// True for neighbor models with categories and distances of power 1 (Hamming, Gower), unless the
  /// points have too many levels.
  static bool serves(const Model& model);
  /// Takes the levels of the model's points; one more column per category is for other levels.
  explicit OneHot(const Model& model);

  /// The same model of one-hot columns, with Manhattan distances.
  Model expanded(const Model& model) const;
  Matrix expand(MatrixView<const double> rows) const;
  /// The sum of the columns of each feature.
  Matrix fold(const Matrix& columns) const;

 private:
  struct Feature {
    std::size_t first;           // column
    double weight;               // 0 for a number
    std::vector<double> levels;  // ascending
    std::size_t columns() const { return weight > 0.0 ? levels.size() + 1 : 1; }
  };

  std::vector<Feature> features_;
  std::size_t columns_ = 0;
};

}  // namespace bisector::detail
