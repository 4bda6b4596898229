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
#include "core/contrast/class_choice.h"
#include "core/contrast/one_hot.h"
#include "core/explain/pools_at_row.h"
#include "core/models/tiles.h"
#include "core/rules/ranked_paths.h"

namespace bisector::detail {

struct RankedContrastExplainerOptions {
  double level;  // regressors
  std::size_t kappa;
  std::optional<PathPlan> ways;
};

class RankedContrastExplainer {
 public:
  /// Throws InvalidInput unless the model is one of neighbors or centroids.
  RankedContrastExplainer(const Model& model, ClassChoice choice, RelevanceRule rule,
                          RankedContrastExplainerOptions options);

  /// Writes a row of relevance for every row of the tile, and for path rules the g where its ways
  /// start.
  std::vector<RankedPools::Decision> explain(const RowTile& tile, MatrixView<double> relevance,
                                             std::span<double> base) const;

  /// The nearest points of both classes and their parts at a row of the model's space.
  PoolsAtRow pools_at(std::span<const double> row) const;
  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return own_.rule; }
  /// For others that explain the same model.
  const std::shared_ptr<const RankedPools>& pools() const { return own_.pools; }

 private:
  using Side = RankedPools::Side;

  void rescale(double scale, std::span<const double> half, std::span<double> relevance) const;
  /// Of the rows of a tile, along their ways; of no columns where the rule has none.
  Matrix gradient_term(const RowTile& tile, std::span<const RankedPools::Decision> decided) const;
  PoolsAtRow pools_at(const linalg::GroupedNeighbors& found,
                      const RankedPools::Decision& decision) const;

  ClassChoice choice_;
  RankedRule own_;
  std::optional<OneHot> one_hot_;  // where the ways are those of categories
  std::optional<RankedPaths> paths_;
};

}  // namespace bisector::detail
