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

  /// The rows of a tile, in the unit of g.
  struct Result {
    std::vector<RowDecision> decisions;
    Matrix relevance;
    std::vector<double> base;
    Matrix standard_error;  // empty unless the rule draws references
  };
  Result explain(const Contrast& contrast, const RowTile& tile) const;

 private:
  /// E_0 of the rows; without columns if the means at the rows give it.
  PathTerm::Result gradient_term(const RowTile& tile, const TileMoments& moments) const;
  void explain_again(const Contrast& contrast, const RowTile& tile, std::size_t r,
                     const TileMoments& moments, std::span<const double> gradient_term,
                     std::span<double> relevance) const;

  const RelevanceRule& rule_;
  std::optional<PathTerm> paths_;
};

}  // namespace bisector::detail
