// Categories as columns of zeros and ones, in which a straight way leads from one row to another:
// on it a category is so much the one level and so much the other. Distances are what they were:
// half of a category's weight for the column that a row has, and half for the one that the point
// has.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

class OneHot {
 public:
  /// Columns are made for so many levels at most.
  static constexpr std::size_t kMaxColumns = 2000;

  /// True for neighbors with categories among numbers of power 1 (Hamming, Gower), unless the
  /// levels of the points are too many.
  static bool serves(const Model& model);
  /// For the levels of the model's points; another level has a column that no point has.
  explicit OneHot(const Model& model);

  /// The model behind it, with Manhattan distances.
  Model expanded(const Model& model) const;
  Matrix expand(MatrixView<const double> rows) const;
  /// What the columns of each feature add up to.
  Matrix fold(const Matrix& columns) const;

 private:
  struct Feature {
    std::size_t first;           // column
    double weight;               // 0 of a number
    std::vector<double> levels;  // ascending
    std::size_t columns() const { return weight > 0.0 ? levels.size() + 1 : 1; }
  };

  std::vector<Feature> features_;
  std::size_t columns_ = 0;
};

}  // namespace bisector::detail
