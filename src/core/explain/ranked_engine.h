// Explains tiles of rows by ranked contrasts: the nearest points of every class, the pair of
// classes of each row, and the means over the band of ranks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/explain/relevance_rule.h"
#include "core/explain/rules.h"
#include "core/neuralize/class_choice.h"
#include "core/neuralize/ranked_pools.h"

namespace bisector::detail {

struct RankedEngineOptions {
  std::size_t kappa;
  Directions directions;
};

class RankedEngine {
 public:
  /// Throws InvalidInput unless the model is one of neighbours or centroids.
  RankedEngine(const Model& model, ClassChoice choice, RelevanceRule rule,
               RankedEngineOptions options);

  /// `input_rows` and `rows`: at most linalg::kRowTile, before and behind the preprocessing.
  std::vector<RankedPools::Decision> explain(MatrixView<const double> input_rows,
                                             MatrixView<const double> rows,
                                             MatrixView<double> relevance) const;

  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }

 private:
  void band_mean(std::span<const linalg::Neighbor> pool, std::size_t rank,
                 std::span<const double> center, std::span<double> mean) const;
  /// mean_P u - mean_N u at points of the model's space, one on the way of each row; their pairs of
  /// classes are those of `decided`, the votes and the rank their own. The centers, close to the
  /// points, only keep rounding small.
  Matrix moment_difference(MatrixView<const double> points,
                           std::span<const RankedPools::Decision> decided,
                           MatrixView<const double> centers) const;

  ClassChoice choice_;
  RelevanceRule rule_;
  RankedEngineOptions options_;
  RankedPools pools_;
};

}  // namespace bisector::detail
