// The points of a neighbour model in one pool per class, and what they say about a tile of rows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/linalg/neighbor_search.h"
#include "core/neuralize/class_choice.h"
#include "core/neuralize/ranked_contrast.h"

namespace bisector::detail {

class RankedPools {
 public:
  /// Of a neighbour or centroid model (a centroid is the one point of its class, k = 1); throws
  /// InvalidInput for other models.
  explicit RankedPools(const Model& model);

  std::size_t k() const { return k_; }
  const Matrix& points() const { return search_.points(); }

  /// At least the k nearest points of every class, and as many as the band of half-width `kappa`
  /// around any rank wants; at most linalg::kRowTile rows of the model's space.
  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t kappa,
                                                unsigned threads = 1) const;
  /// The same at the points on the lines to the rows: one entry for every row and step.
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t kappa,
                                                         unsigned threads = 1) const;

  struct Decision {
    std::size_t prediction;
    RankedContrast contrast;
    double g;
    double vote_difference;
  };
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice) const;

 private:
  struct Labeled {
    const SharedMatrix& points;
    std::vector<std::size_t> classes;
    std::size_t class_count, k;
  };
  static Labeled labeled(const Model& model);
  explicit RankedPools(const Labeled& model);

  /// How many points of every class are wanted.
  std::size_t wanted(std::size_t kappa) const;

  std::size_t k_;
  linalg::NeighborSearch search_;
};

}  // namespace bisector::detail
