// Path rules on ranked contrasts: the first half of a row's relevance along the ways to it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/pair_cache.h"
#include "core/contrast/ranked_pools.h"
#include "core/rules/contrast_paths.h"
#include "core/rules/relevance_rule.h"

namespace bisector::detail {

/// Pools, what is made of their points, and the half-width of their bands of ranks.
struct RankedRule {
  std::shared_ptr<const RankedPools> pools;
  RelevanceRule rule;
  std::size_t kappa;

  /// The means of a point's values, around `center`, over those that share a pool's responsibility;
  /// a level stands at the center. Returns the pool's scale.
  double pool_mean(const linalg::GroupedNeighbors& found, const RankedPools::Decision& decision,
                   RankedPools::Side side, std::span<const double> center,
                   std::span<double> mean) const;
};

class RankedPaths {
 public:
  RankedPaths(RankedRule rule, PathPlan plan) : rule_(std::move(rule)), plan_(std::move(plan)) {}

  /// The mean of g where the ways to a row start.
  double base(const RankedPools::Decision& decided) const { return to(decided).base; }
  /// E_0 of rows along their ways: `inputs` are the rows before the preprocessing. The pair of
  /// classes is a row's own, the votes and the rank those of the points on the way.
  Matrix gradient_term(MatrixView<const double> rows, MatrixView<const double> inputs,
                       std::span<const RankedPools::Decision> decided, unsigned threads) const;

 private:
  /// Of a point's values, the first are what the gradient is made of.
  struct StepSpace {
    std::vector<double> positive, negative, point;
  };

  const Paths& to(const RankedPools::Decision& decision) const;
  void add_step(const RelevanceRule::End& row, const Paths& ways, std::size_t step,
                const ClassChoice& pair, const linalg::GroupedNeighbors& found, StepSpace& space,
                std::span<double> half) const;

  RankedRule rule_;
  PathPlan plan_;
  PairCache<ContrastPaths> paths_;
};

}  // namespace bisector::detail
