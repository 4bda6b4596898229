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
#include "core/neuralize/pair_cache.h"
#include "core/neuralize/ranked_pools.h"

namespace bisector::detail {

struct RankedContrastExplainerOptions {
  double level;  // regressors
  std::size_t kappa;
  std::optional<WayPlan> ways;
};

class RankedContrastExplainer {
 public:
  /// Throws InvalidInput unless the model is one of neighbours or centroids.
  RankedContrastExplainer(const Model& model, ClassChoice choice, RelevanceRule rule,
                          RankedContrastExplainerOptions options);

  /// Writes a row of relevance for every row of the tile, and for path rules the g where its ways
  /// start.
  std::vector<RankedPools::Decision> explain(const RowTile& tile, MatrixView<double> relevance,
                                             std::span<double> base) const;

  /// The nearest points of both classes and their parts at a row of the model's space.
  PoolsAtRow pools_at(std::span<const double> row) const;
  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }
  /// For others that explain the same model.
  const std::shared_ptr<const RankedPools>& pools() const { return pools_; }

 private:
  using Side = RankedPools::Side;

  double pool_mean(const linalg::GroupedNeighbors& found, const RankedPools::Decision& decision,
                   Side side, std::span<const double> center, std::span<double> mean) const;
  void rescale(double scale, std::span<const double> half, std::span<double> relevance) const;
  const Ways& ways_to(const RankedPools::Decision& decision) const;
  /// Of a point's values, the first are what the gradient is made of.
  struct StepSpace {
    std::vector<double> positive, negative, point;
  };
  void add_step(const RowTile& tile, std::size_t r, const Ways& ways, std::size_t step,
                const ClassChoice& pair, const linalg::GroupedNeighbors& found, StepSpace& space,
                std::span<double> half) const;
  /// E_0 of the rows of a tile along their ways. The pair of classes is a row's own, the votes and
  /// the rank those of the points on the way.
  Matrix first_half(const RowTile& tile, std::span<const RankedPools::Decision> decided) const;
  PoolsAtRow pools_at(const linalg::GroupedNeighbors& found,
                      const RankedPools::Decision& decision) const;

  ClassChoice choice_;
  RelevanceRule rule_;
  RankedContrastExplainerOptions options_;
  std::shared_ptr<const RankedPools> pools_;
  PairCache<ContrastWays> ways_;
};

}  // namespace bisector::detail
