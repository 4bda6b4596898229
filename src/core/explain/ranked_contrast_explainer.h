// Explains tiles of rows by ranked contrasts: the nearest points of every class, the pair of
// classes of each row, and the means over the band of ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/explain/pools_at_row.h"
#include "core/explain/relevance_rule.h"
#include "core/explain/rules.h"
#include "core/models/tiles.h"
#include "core/neuralize/class_choice.h"
#include "core/neuralize/ranked_pools.h"

namespace bisector::detail {

struct RankedContrastExplainerOptions {
  std::size_t kappa;
  Directions directions;
};

class RankedContrastExplainer {
 public:
  /// Throws InvalidInput unless the model is one of neighbours or centroids.
  RankedContrastExplainer(const Model& model, ClassChoice choice, RelevanceRule rule,
                          RankedContrastExplainerOptions options);

  /// Writes a row of relevance for every row of the tile.
  std::vector<RankedPools::Decision> explain(const RowTile& tile,
                                             MatrixView<double> relevance) const;

  /// The nearest points of both classes and their parts at a row of the model's space.
  PoolsAtRow pools_at(std::span<const double> row) const;
  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }
  /// For others that explain the same model.
  const std::shared_ptr<const RankedPools>& pools() const { return pools_; }

 private:
  void band_mean(std::span<const linalg::Neighbor> pool, std::size_t rank,
                 std::span<const double> center, std::span<double> mean) const;
  /// mean_P u - mean_N u at points of the model's space, one on the way of each row of the tile;
  /// their pairs of classes are those of `decided`, the votes and the rank their own. The moments
  /// are taken around the rows, close to the points, which only keeps rounding small.
  Matrix moment_difference(MatrixView<const double> points,
                           std::span<const RankedPools::Decision> decided,
                           const RowTile& tile) const;
  PoolsAtRow pools_at(const linalg::GroupedNeighbors& found, const RankedContrast& contrast) const;

  ClassChoice choice_;
  RelevanceRule rule_;
  RankedContrastExplainerOptions options_;
  std::shared_ptr<const RankedPools> pools_;
};

}  // namespace bisector::detail
