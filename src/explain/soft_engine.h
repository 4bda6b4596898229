// Explains tiles of rows by one soft contrast: two streaming passes, one per pool, and the virtual
// point of the intercept.
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
    double total(double log_sum_of_points) const;  // with the virtual point, for g
  };

  PoolPass make_pass(const SoftPool& pool, bool has_intercept,
                     const SoftEngineOptions& options) const;
  void run(const PoolPass& pass, MatrixView<const double> centred, std::vector<double>& log_sums,
           std::vector<linalg::SoftRow>& means) const;

  SoftContrast contrast_;
  RelevanceRule rule_;
  double beta_;
  bool ignore_intercept_;
  PoolPass positive_, negative_;
};

}  // namespace bisector
