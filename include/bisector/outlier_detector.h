// Outlier detectors that compare a score of distances with a threshold.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/distance.h"
#include "bisector/enum_names.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model_fields.h"

namespace bisector {

/// The score of a row, a function of its distances to the training points.
enum class OutlierScore {
  kth_distance,   // distance to the k-th nearest point; a Mahalanobis level is one mapped point
  mean_distance,  // mean distance to the k nearest points
  local_outlier_factor  // mean density at the k nearest points over the density at the row
};
constexpr std::string_view name(OutlierScore score) {
  switch (score) {
    case OutlierScore::kth_distance:
      return "kth_distance";
    case OutlierScore::mean_distance:
      return "mean_distance";
    case OutlierScore::local_outlier_factor:
      return "local_outlier_factor";
  }
  return {};
}

/// For the local outlier factor: each training point's distance to its k-th neighbor among the
/// others, and its local reachability density.
struct LocalDensities {
  std::vector<double> reaches, densities;
};

/// A row is inside if its score is at most the threshold. LIBSVM's labels: 1 inside, -1 outside.
class BISECTOR_EXPORT OutlierDetector {
 public:
  using Score = OutlierScore;
  static constexpr std::string_view kKind = "detector";
  static constexpr Task kTask = Task::detection;
  static constexpr std::size_t kPositive = 0;

  struct Data {
    SharedMatrix points = Matrix();  // S x D
    std::size_t k = 1;
    Score score = Score::kth_distance;
    double threshold = 1.0;
    Distance distance = {};
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{"points"}, &Data::points);
      visit(Field{"k"}, &Data::k);
      visit(Field{"score"}, &Data::score);
      visit(Field{"threshold"}, &Data::threshold);
      visit(Field{"distance"}, &Data::distance);
    }
  };

  /// Throws InvalidModel unless 1 <= k <= S (k < S for the local outlier factor) and the threshold
  /// is finite and positive.
  explicit OutlierDetector(Data data);
  OutlierDetector(SharedMatrix points, std::size_t k, Score score, double threshold,
                  Distance distance = {})
      : OutlierDetector(Data{points, k, score, threshold, std::move(distance)}) {}

  const Data& data() const { return data_; }
  std::size_t features() const { return data_.points->cols(); }
  std::size_t k() const { return data_.k; }
  std::size_t neighbors() const { return data_.k; }
  Score score() const { return data_.score; }
  double threshold() const { return data_.threshold; }
  const Matrix& points() const { return *data_.points; }
  const SharedMatrix& shared_points() const { return data_.points; }
  const Distance& distance() const { return data_.distance; }
  std::vector<std::string> labels() const { return {"1", "-1"}; }
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;

  /// The densities of the local outlier factor; empty for other scores. They need O(S^2) distances,
  /// so the first call computes them, and copies of the detector share them. Safe to call from
  /// several threads.
  const LocalDensities& local_densities() const { return prepare(1); }
  /// Computes the densities on `threads` threads (0: all).
  const LocalDensities& prepare(unsigned threads) const;

  bool operator==(const OutlierDetector& other) const { return data_ == other.data_; }

 private:
  struct LazyDensities;

  Data data_;
  std::shared_ptr<LazyDensities> densities_;
};

}  // namespace bisector
