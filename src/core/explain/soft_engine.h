// Explains tiles of rows by one soft contrast: two streaming passes, one per pool, and the virtual
// point of the intercept; as many more as the rule wants along its directions. Rows whose relevance
// all but cancels (x sits on a point, say) are summed once more from close by, point by point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "core/explain/relevance_rule.h"
#include "core/explain/rules.h"
#include "core/neuralize/soft_contrast.h"
#include "core/neuralize/soft_pool_pass.h"

namespace bisector::detail {

struct SoftEngineOptions {
  SoftPoolOptions pools;
  Directions directions;
};

class SoftEngine {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftEngine(SoftContrast contrast, RelevanceRule rule, SoftEngineOptions options);

  /// `input_rows` and `rows`: at most linalg::kRowTile, before and behind the preprocessing. Writes
  /// a row of relevance, g and f each.
  void explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
               MatrixView<double> relevance, std::span<double> g, std::span<double> f) const;

  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }

 private:
  SoftPoolPass make_pass(const SoftPool& pool, std::optional<double> log_intercept) const;
  /// mean_P u - mean_N u at points of the model's space.
  Matrix moment_difference(MatrixView<const double> points) const;
  std::vector<double> close_center(std::span<const double> row, std::span<const double> centred,
                                   std::span<const double> positive_mean) const;
  std::vector<double> exact_mean(const SoftPool& pool, const SoftPoolPass& pass,
                                 std::span<const double> row, std::span<const double> center) const;

  SoftContrast contrast_;
  std::vector<double> center_;  // the mean of all points
  double radius_;               // of all points, around it
  RelevanceRule rule_;
  SoftEngineOptions options_;
  SoftPoolPass positive_, negative_;
};

}  // namespace bisector::detail
