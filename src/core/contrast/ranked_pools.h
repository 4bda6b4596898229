// What the neighbors of a row decide, by which contrast, and who is responsible: the voters of a
// neighbor model, or the pool of a detector against its level.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/class_choice.h"
#include "core/contrast/ranked_contrast.h"
#include "core/models/detector_pools.h"
#include "core/models/voters.h"

namespace bisector::detail {

class RankedPools {
 public:
  /// Throws InvalidInput for kernel machines.
  explicit RankedPools(const Model& model, double level = 0.0);

  const Matrix& points() const { return detector_ ? detector_->points() : voters_->points(); }

  /// True where responsibilities are those of a mean of points in a Euclidean space.
  bool have_means() const { return !detector_ && is_euclidean_; }

  /// As Voters: with the band of half-width `kappa`. A detector's points are one group, that of P.
  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t kappa,
                                                unsigned threads = 1,
                                                std::vector<Ballot>* ballots = nullptr) const;
  /// The same at the points on the lines to the rows: one entry for every row and step.
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t kappa,
                                                         unsigned threads = 1) const;

  struct Decision {
    std::size_t prediction;  // a class
    Ballot ballot;
    RankedContrast contrast;
    double g;
    double vote_difference;  // regressors: how far the prediction is above the level
    double value;            // regressors: the prediction
  };
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice) const;
  /// The same by the votes that were counted already.
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice,
                  Ballot ballot) const;

  /// The points of a pool that share its responsibility, one after the other in rank, and their
  /// parts, which add up to one.
  struct Responsible {
    std::size_t first;            // of the pool's points
    std::vector<double> weights;  // empty: the same for all of `count`
    std::size_t count;            // none where the level stands for a pool
    double scale = 1.0;           // of a detector: what its relevance is of that of a mean
  };
  enum class Side { positive, negative };
  Responsible responsible(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side, std::size_t kappa) const;
  /// The points of a side; a detector has none against it.
  static std::span<const linalg::Neighbor> pool(const linalg::GroupedNeighbors& nearest,
                                                const Decision& decision, Side side);
  /// The squared distance that a side is compared by.
  double score(const linalg::GroupedNeighbors& nearest, const Decision& decision, Side side) const;
  /// What a detector's level has of g, from which the parts of the distances go off; 0 of voters.
  double level_part(const linalg::GroupedNeighbors& nearest, const Decision& decision) const;

 private:
  static std::size_t group_of(const Decision& decision, Side side);
  Decision decide_inside(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice) const;

  std::optional<Voters> voters_;
  std::optional<DetectorPools> detector_;
  double level_;
  bool is_regressor_, is_euclidean_;
};

}  // namespace bisector::detail
