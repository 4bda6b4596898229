// Rows far from all data, whose explanation says little.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

class OutsideCheck {
 public:
  /// Of points of the model's space. A draw of 512 stands for more; fewer than 30, such as
  /// centroids, do not stand for data, and nothing is outside of them.
  explicit OutsideCheck(const SharedMatrix& points);

  /// True where the nearest point is farther from the row than any point is from its own nearest
  /// other. A typical row has many points within that distance, so the search ends soon.
  bool operator()(std::span<const double> row) const;

 private:
  SharedMatrix points_;
  std::vector<std::size_t> sample_;
  double largest_ = 0.0;  // squared
};

}  // namespace bisector::detail
