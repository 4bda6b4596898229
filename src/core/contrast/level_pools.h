// An outlier detector at a row: one pool of neighbors against a level. If "inside" is explained the
// points are P and the level takes the place of N, otherwise the points are N.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/contrast/ranked_pools.h"
#include "core/models/detector_pools.h"

namespace bisector::detail {

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
  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t kappa,
                                                unsigned threads,
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
