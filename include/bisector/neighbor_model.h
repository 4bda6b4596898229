// Models that vote by Euclidean distance alone: k nearest neighbours and nearest centroids.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// k nearest neighbours, Euclidean, uniform weights. Equal distances go to the lower index and
/// equal votes to the class that comes first in `labels`, which the maker of the model sorts.
class BISECTOR_EXPORT NeighborModel {
 public:
  /// `classes[n]` is the index of point n's label. Throws InvalidModel unless 1 <= k <= points,
  /// there are at least two labels, none stands twice, and every class has a point.
  NeighborModel(SharedMatrix points, std::vector<std::size_t> classes,
                std::vector<std::string> labels, std::size_t k);

  std::size_t features() const { return points_->cols(); }
  std::size_t k() const { return k_; }
  const Matrix& points() const { return *points_; }
  const SharedMatrix& shared_points() const { return points_; }
  const std::vector<std::size_t>& classes() const { return classes_; }
  const std::vector<std::string>& labels() const { return labels_; }

  bool operator==(const NeighborModel&) const = default;

 private:
  SharedMatrix points_;               // S x D
  std::vector<std::size_t> classes_;  // S
  std::vector<std::string> labels_;   // C
  std::size_t k_;
};

/// Nearest centroid, k-means: one point per class or cluster, the nearest wins.
class BISECTOR_EXPORT CentroidModel {
 public:
  /// Throws InvalidModel unless there are at least two centroids and one distinct label for each.
  CentroidModel(SharedMatrix centroids, std::vector<std::string> labels);

  std::size_t features() const { return centroids_->cols(); }
  const Matrix& centroids() const { return *centroids_; }
  const SharedMatrix& shared_points() const { return centroids_; }
  const std::vector<std::string>& labels() const { return labels_; }

  bool operator==(const CentroidModel&) const = default;

 private:
  SharedMatrix centroids_;  // C x D
  std::vector<std::string> labels_;
};

}  // namespace bisector
