// An outlier detector as one pool against a level: with R the effective distance of a row to its
// neighbours and T the one that is still inside, g = T^2 - R^2.
//
// R is the distance to the k-th neighbour, the mean distance to k of them, or, for the local outlier
// factor, their mean reachability distance, and T the threshold, or the threshold over the mean
// density at the neighbours. So the gradient of R^2 is twice a weighted sum of the ways from the
// neighbours, and the weighted parts of their distances add up to R^2, but for the neighbours that
// are nearer than their own reach.
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
    double score;     // R^2; of the k-th neighbour, the sum of its distance
  };
  Verdict decide(std::span<const linalg::Neighbor> nearest) const;

  /// The parts of the neighbours, nearest first, in R^2: of the k-th, a band of half-width kappa.
  std::vector<double> weights(std::span<const linalg::Neighbor> nearest, std::size_t kappa) const;

 private:
  double length(const linalg::Neighbor& neighbor) const {
    return detector_.distance().length(neighbor.squared_distance);
  }

  OutlierDetector detector_;
  linalg::NeighborSearch search_;
};

}  // namespace bisector::detail
