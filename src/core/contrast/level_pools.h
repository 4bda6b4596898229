// An outlier detector at a row: one pool of neighbors against a level. If "inside" is explained the
// points are P and the level takes the place of N, otherwise the points are N.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bisector/outlier_detector.h"
#include "core/contrast/ranked_pools.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

// An outlier detector as one pool against a level. R is the effective distance of a row to its
// neighbors, T the largest R that is inside, p the power of the distance: g = T^p - R^p.
//
// R is the distance to the k-th neighbor, the mean distance to the k nearest, or their mean
// reachability distance (local outlier factor). T is the threshold, for the local outlier factor
// divided by the mean density of the neighbors. A neighbor at distance d, with the sum s = d^p, has
// the weight R^(p-1) d / (k s). With these weights the gradients of the sums add up to the gradient
// of R^p, and the parts of the sums to R^p, except for neighbors within their own reach.

class DetectorPools {
 public:
  explicit DetectorPools(const OutlierDetector& detector);

  const SharedMatrix& points() const { return search_.points(); }
  double threshold() const { return detector_.threshold(); }

  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t kappa,
                                                unsigned threads) const;

  struct Verdict {
    double g;
    double decision;  // threshold - score
    double distance;  // R
    double score;     // R^p
  };
  Verdict decide(std::span<const linalg::Neighbor> nearest) const;

  /// No shorter change (Euclidean) of the row leads to the other side of the threshold: distances
  /// to points, and their means, change by at most the length of the change. 0 for the local
  /// outlier factor, which has no such bound.
  double radius(std::span<const linalg::Neighbor> nearest) const;

  /// The weights of the neighbors, nearest first, in R^p. The k-th distance has a band of ranks of
  /// half-width kappa.
  std::vector<double> weights(std::span<const linalg::Neighbor> nearest, std::size_t kappa) const;

 private:
  double length(const linalg::Neighbor& neighbor) const {
    return detector_.distance().length(neighbor.squared_distance);
  }

  OutlierDetector detector_;
  const LocalDensities* densities_;  // owned by detector_ and its copies
  linalg::NeighborSearch search_;
};

class LevelPools {
 public:
  struct Decision : RowDecision {
    double score = 0.0;  // squared effective distance of the neighbors
  };

  explicit LevelPools(DetectorPools detector)
      : detector_(std::move(detector)), threshold_(detector_.threshold()) {}

  const SharedMatrix& points() const { return detector_.points(); }
  /// False: the weights of the neighbors do not sum to 1.
  static bool have_means() { return false; }

  /// As RankedPools; there are no votes.
  std::vector<linalg::GroupedNeighbors> nearest(const RowTile& tile, std::size_t kappa,
                                                std::vector<VoteCounts>& votes) const;
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t kappa, unsigned threads) const;
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice) const;
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice,
                  const VoteCounts&) const {
    return decide(nearest, choice);
  }

  Responsible responsible(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side, std::size_t kappa) const;
  /// The level has no points.
  std::span<const linalg::Neighbor> pool(const linalg::GroupedNeighbors& nearest,
                                         const Decision& decision, Side side) const;
  double score(const linalg::GroupedNeighbors& nearest, const Decision& decision, Side side) const;
  /// A radius within which the prediction does not change.
  double radius(const linalg::GroupedNeighbors& nearest, const Decision&) const {
    return detector_.radius(nearest[0]);
  }

 private:
  DetectorPools detector_;
  double threshold_;
};

}  // namespace bisector::detail
