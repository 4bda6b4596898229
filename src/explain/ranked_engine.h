// Explains tiles of rows by ranked contrasts: the nearest points of every class, the pair of
// classes of each row, and the means over the band of ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "explain/relevance_rule.h"
#include "linalg/nearest.h"
#include "neuralize/ranked_contrast.h"

namespace bisector {

/// Which classes a row's pools are: fixed, or left to the votes.
struct ClassChoice {
  std::optional<std::size_t> positive;  // none: the predicted class
  std::optional<std::size_t> negative;  // none: its strongest rival
};

class RankedEngine {
 public:
  RankedEngine(const Matrix& points, std::span<const std::size_t> classes, std::size_t class_count,
               std::size_t k, std::size_t kappa, ClassChoice choice, RelevanceRule rule,
               bool single_precision);

  struct RowResult {
    std::size_t prediction;
    RankedContrast contrast;
    double g;
    double vote_difference;
  };

  /// `input_rows` and `rows`: at most linalg::kRowTile, before and behind the preprocessing.
  std::vector<RowResult> explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
                                 MatrixView<double> relevance) const;

  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }

 private:
  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows) const;
  RowResult decide(const linalg::GroupedNeighbors& nearest) const;
  std::vector<double> band_mean(std::span<const linalg::Neighbor> pool, std::size_t rank,
                                std::span<const double> row) const;

  std::size_t k_, kappa_;
  ClassChoice choice_;
  RelevanceRule rule_;
  linalg::NearestSearch<double> f64_;
  std::optional<linalg::NearestSearch<float>> f32_;
};

}  // namespace bisector
