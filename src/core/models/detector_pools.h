// An outlier detector as one pool against a level: with R the effective distance of a row to its
// neighbors and T the one that is still inside, g = T^p - R^p, p the power of the distance.
//
// R is the distance to the k-th neighbor, the mean distance to k of them, or, for the local
// outlier factor, their mean reachability distance, and T the threshold, or the threshold over the
// mean density at the neighbors. With s the sum of a distance d, neighbors have the weights
// R^(p-1) d / (k s): so weighted, the gradients of their sums make that of R^p, and the parts of
// their sums add up to R^p, but for the neighbors that are nearer than their own reach.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/outlier_detector.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

class DetectorPools {
 public:
  explicit DetectorPools(const OutlierDetector& detector);

  const Matrix& points() const { return search_.points(); }

  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t kappa,
                                                unsigned threads) const;

  struct Verdict {
    double g;
    double decision;  // the threshold less the score
    double distance;  // R
    double score;     // R^p
  };
  Verdict decide(std::span<const linalg::Neighbor> nearest) const;

  /// The parts of the neighbors, nearest first, in R^p: of the k-th, a band of half-width kappa.
  std::vector<double> weights(std::span<const linalg::Neighbor> nearest, std::size_t kappa) const;

 private:
  double length(const linalg::Neighbor& neighbor) const {
    return detector_.distance().length(neighbor.squared_distance);
  }

  OutlierDetector detector_;
  linalg::NeighborSearch search_;
};

}  // namespace bisector::detail
