// Rows far from the training data, whose explanation says little.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/reference_rows.h"

namespace bisector::detail {

class OutsideCheck {
 public:
  /// The largest number of points that are compared.
  static constexpr std::size_t kSample = 512;

  /// How the points were chosen.
  enum class Points {
    sample,  // rows of the data: a background, the points of a neighbor model
    chosen   // picked by training, such as support vectors: typical rows may be far from them
  };

  /// Fewer points, such as centroids, do not represent data.
  static constexpr std::size_t kLeast = 30;

  /// `points` are in the model's space; a random sample of kSample represents more.
  OutsideCheck(const SharedMatrix& points, Points kind, Distance distance = {});

  /// True if the row is farther from its nearest point than any point is from its own nearest other
  /// point; for chosen points, farther than any two points are from each other; for fewer than
  /// kLeast points, farther than kFewFactor times that. A typical row has many points within that
  /// distance, so the search ends soon.
  bool operator()(std::span<const double> row) const;

 private:
  static constexpr double kFewFactor = 100.0;

  SharedMatrix points_;              // in memory; of points in a file, the sample alone
  std::vector<std::size_t> sample_;  // of points_
  Distance distance_;
  double largest_ = 0.0;  // squared, or the sum of another distance
};

/// How a model's own points were chosen.
OutsideCheck::Points points_kind(const Model& model);

/// The check against the background, or against the model's points if it is too small or not given.
OutsideCheck make_outside_check(const Model& model, OptionalRows background);

}  // namespace bisector::detail
