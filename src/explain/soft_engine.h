// Explains tiles of rows by one soft contrast: two streaming passes, one per pool, and the virtual
// point of the intercept. Rows whose relevance all but cancels (x sits on a point, say) are summed
// once more around x itself, point by point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/network.h"
#include "explain/relevance_rule.h"
#include "linalg/soft_pass.h"
#include "neuralize/soft_contrast.h"

namespace bisector {

struct SoftEngineOptions {
  double beta;
  bool ignore_intercept = false;
  bool single_precision = false;
};

class SoftEngine {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftEngine(SoftContrast contrast, RelevanceRule rule, const SoftEngineOptions& options);

  /// `input_rows` and `rows`: at most linalg::kRowTile, before and behind the preprocessing. Writes
  /// a row of relevance, g and f each.
  void explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
               MatrixView<double> relevance, std::span<double> g, std::span<double> f) const;

  Network network(std::span<const double> row) const;
  const RelevanceRule& rule() const { return rule_; }

 private:
  /// One pool made ready: the pass that weighs by beta, the pass for g where it differs, and the
  /// exponents of the virtual point (minus infinity: none).
  struct PoolPass {
    std::optional<linalg::SoftPass> weights, forward;
    double virtual_weight, virtual_forward;
  };
  /// A pool at a row: its log-sum-exp with the virtual point, less `offset`, and its mean values.
  struct PooledRow {
    double log_sum, offset;
    std::vector<double> mean;
  };

  double radius() const;
  PoolPass make_pass(const SoftPool& pool, bool has_intercept, double radius,
                     const SoftEngineOptions& options) const;
  std::vector<PooledRow> run(const PoolPass& pass, MatrixView<const double> centred) const;
  void explain_exactly(std::span<const double> input_row, std::span<const double> row,
                       std::span<double> relevance) const;
  std::vector<double> exact_mean(const SoftPool& pool, const PoolPass& pass,
                                 std::span<const double> row) const;

  SoftContrast contrast_;
  RelevanceRule rule_;
  std::vector<double> center_;  // the mean of all points
  double tolerated_cancellation_;
  double beta_;
  bool ignore_intercept_;
  PoolPass positive_, negative_;
};

}  // namespace bisector
