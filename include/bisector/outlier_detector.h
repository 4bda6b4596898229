// Detectors that call a row an outlier by its distances to the points.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "bisector/distance.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// Inside where the score is at most the threshold. LIBSVM's labels: 1 inside, -1 outside.
class BISECTOR_EXPORT OutlierDetector {
 public:
  enum class Score {
    kth_distance,   // to the k-th nearest point; a Mahalanobis level is one point behind a map
    mean_distance,  // to the k nearest points
    local_outlier_factor  // the mean density at the k nearest over the density at the row
  };

  /// Throws InvalidModel unless 1 <= k <= points (below the points for the local outlier factor)
  /// and the threshold is a finite number above 0. The densities of the points are computed here.
  OutlierDetector(SharedMatrix points, std::size_t k, Score score, double threshold,
                  Distance distance = {});

  std::size_t features() const { return points_->cols(); }
  std::size_t k() const { return k_; }
  Score score() const { return score_; }
  double threshold() const { return threshold_; }
  const Matrix& points() const { return *points_; }
  const SharedMatrix& shared_points() const { return points_; }
  const Distance& distance() const { return distance_; }
  /// Of the local outlier factor: how far each point is from its k-th neighbor among the others,
  /// and its local reachability density.
  const std::vector<double>& reaches() const { return reaches_; }
  const std::vector<double>& densities() const { return densities_; }

  bool operator==(const OutlierDetector&) const = default;

 private:
  void find_densities();

  SharedMatrix points_;  // S x D
  std::size_t k_;
  Score score_;
  double threshold_;
  Distance distance_;
  std::vector<double> reaches_, densities_;  // S
};

/// "kth_distance" and so on.
BISECTOR_EXPORT std::string_view name(OutlierDetector::Score score);
/// Nothing for a name that no score has.
BISECTOR_EXPORT std::optional<OutlierDetector::Score> outlier_score_from_name(
    std::string_view name);

}  // namespace bisector
