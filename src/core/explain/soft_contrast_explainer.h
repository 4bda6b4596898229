// Explains tiles of rows by one soft contrast: two streaming passes, one per pool, and the virtual
// point of the intercept; path rules another over points on the ways to
// the rows. Rows whose relevance
// all but cancels (x sits on a point, say) are summed once more from close by, point by point.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/contrast/soft_pools.h"
#include "core/explain/pools_at_row.h"
#include "core/models/tiles.h"
#include "core/rules/relevance_rule.h"
#include "core/rules/rules.h"

namespace bisector::detail {

/// Where a tile's explanations go, a row each.
struct SoftExplanation {
  MatrixView<double> relevance;
  std::span<double> g, f;
  std::span<double> base;        // of path rules: g where the ways start; else it stays
  std::span<char> is_saturated;  // the intercept alone decides: the points add less than 0.1 %
};

class SoftContrastExplainer {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftContrastExplainer(SoftContrast contrast, RelevanceRule rule, const PoolOptions& options,
                        const std::optional<PathPlan>& ways);

  void explain(const RowTile& tile, const SoftExplanation& out) const;

  /// The members of both pools and their parts at a row of the model's space: linear in the points.
  PoolsAtRow pools_at(std::span<const double> row) const;
  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }
  /// For others that explain the same contrast.
  const std::shared_ptr<const SoftPools>& pools() const { return pools_; }

 private:
  std::vector<double> outputs(MatrixView<const double> points) const;
  /// E_0 of the rows of a tile along the ways, from their g.
  Matrix gradient_term(const RowTile& tile, const linalg::SoftmaxRows& positive,
                       const linalg::SoftmaxRows& negative, std::span<const double> g) const;
  Matrix gradient_term_at_rows(const RowTile& tile, const linalg::SoftmaxRows& positive,
                               const linalg::SoftmaxRows& negative) const;
  void add_paths(const RowTile& tile, const Paths& ways, std::span<const std::size_t> members,
                 Matrix& half) const;
  void explain_exactly(const RowTile& tile, std::size_t row, std::span<const double> centered,
                       std::span<const double> positive_mean, std::span<const double> gradient_term,
                       std::span<double> relevance) const;
  std::vector<double> close_center(std::span<const double> row, std::span<const double> centered,
                                   std::span<const double> positive_mean) const;
  std::vector<double> exact_mean(const SoftPool& pool, const PoolMoments& moments,
                                 std::span<const double> row, std::span<const double> center) const;

  RelevanceRule rule_;
  std::shared_ptr<const SoftPools> pools_;
  std::optional<ContrastPaths> paths_;
};

}  // namespace bisector::detail
