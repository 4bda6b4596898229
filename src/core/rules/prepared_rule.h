// An LRP rule made ready for the contrasts of a model: moments at the rows, gradients along paths,
// and the relevance from both.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/contrasts.h"
#include "core/rules/path_term.h"
#include "core/rules/relevance_rule.h"

namespace bisector::detail {

class PreparedRule {
 public:
  /// `rule`, `contrasts` and `options` (those of the contrasts) outlive this object.
  PreparedRule(const RelevanceRule& rule, const Contrasts& contrasts,
               const ContrastOptions& options, std::optional<PathPlan> plan);

  /// Writes the relevance of the rows of a tile in the unit of g and their base values, which are 0
  /// on entry. Returns the decisions.
  std::vector<RowDecision> explain(const Contrast& contrast, const RowTile& tile,
                                   MatrixView<double> relevance, std::span<double> base) const;

 private:
  /// E_0 of the rows; without columns if the means at the rows give it.
  Matrix gradient_term(const RowTile& tile, const TileMoments& moments,
                       std::span<double> base) const;
  void explain_again(const Contrast& contrast, const RowTile& tile, std::size_t r,
                     const TileMoments& moments, std::span<const double> gradient_term,
                     std::span<double> relevance) const;

  const RelevanceRule& rule_;
  std::optional<PathTerm> paths_;
};

}  // namespace bisector::detail
