// Rows far from all data, whose explanation says little.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

class OutsideCheck {
 public:
  /// So many points are asked.
  static constexpr std::size_t kSample = 512;

  /// What the points are to the data.
  enum class Points {
    sample,  // rows of them: a background, the neighbors of a model
    chosen   // picked by training, such as support vectors: typical rows may be far from them
  };

  /// Of points of the model's space. A draw of kSample stands for more; fewer than 30, such as
  /// centroids, do not stand for data, and nothing is outside of them.
  OutsideCheck(const SharedMatrix& points, Points kind, Distance distance = {});

  /// True where the nearest point is farther from the row than any point is from its own nearest
  /// other; of chosen points, than any two of them are apart. A typical row has many points within
  /// that distance, so the search ends soon.
  bool operator()(std::span<const double> row) const;

 private:
  SharedMatrix points_;
  std::vector<std::size_t> sample_;
  Distance distance_;
  double largest_ = 0.0;  // squared, or the sum of another distance
};

/// What a model's own points are.
OutsideCheck::Points points_kind(const Model& model);

}  // namespace bisector::detail
