// Explains tiles of rows by one soft contrast: two streaming passes, one per pool, and the virtual
// point of the intercept; as many more as the rule wants along its directions. Rows whose relevance
// all but cancels (x sits on a point, say) are summed once more from close by, point by point.
#pragma once

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
#include "core/neuralize/soft_pools.h"

namespace bisector::detail {

struct SoftContrastExplainerOptions {
  PoolOptions pools;
  Directions directions;
};

class SoftContrastExplainer {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftContrastExplainer(SoftContrast contrast, RelevanceRule rule,
                        SoftContrastExplainerOptions options);

  /// Writes a row of relevance, g and f for every row of the tile.
  void explain(const RowTile& tile, MatrixView<double> relevance, std::span<double> g,
               std::span<double> f) const;

  /// The members of both pools and their parts at a row of the model's space: linear in the points.
  PoolsAtRow pools_at(std::span<const double> row) const;
  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }
  /// For others that explain the same contrast.
  const std::shared_ptr<const SoftPools>& pools() const { return pools_; }

 private:
  /// mean_P u - mean_N u at points of the model's space.
  Matrix moment_difference(MatrixView<const double> points, unsigned threads) const;
  void explain_exactly(const RowTile& tile, std::size_t row, std::span<const double> centered,
                       std::span<const double> positive_mean, std::span<const double> direction,
                       std::span<double> relevance) const;
  std::vector<double> close_center(std::span<const double> row, std::span<const double> centered,
                                   std::span<const double> positive_mean) const;
  std::vector<double> exact_mean(const SoftPool& pool, const PoolMoments& moments,
                                 std::span<const double> row, std::span<const double> center) const;

  RelevanceRule rule_;
  Directions directions_;
  std::shared_ptr<const SoftPools> pools_;
};

}  // namespace bisector::detail
