// What explains the rows of a model: a rule or a baseline, made ready for the model's contrasts.
// bisector/baselines.h has what the baselines compute for any function.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/reference_rows.h"
#include "core/methods/attribution.h"
#include "core/methods/rules.h"

namespace bisector::detail {

/// Rows that share a pair of classes.
struct PairRows {
  Model::ClassPair pair;
  const Contrast& contrast;  // of the pair
  MatrixView<const double> rows;
  std::span<const std::size_t> numbers;  // of the rows in their file
};
/// The relevance of some rows, and its standard error if the method is a mean over random draws.
struct BaselineResult {
  Matrix relevance;
  Matrix standard_error = {};
};
using Baseline = std::function<BaselineResult(const PairRows& of)>;

/// What a baseline is made from; all members outlive it. Points are in the model's input space.
struct BaselineInput {
  const Contrasts& contrasts;
  std::span<const double> reference;
  MatrixView<const double> references;        // one or more, to average over
  std::span<const std::size_t> players = {};  // ExplainOptions::players
};

/// Throws InvalidInput for a model without a product kernel. Each of the other baselines is a
/// function of this name beside its formula; they throw for a model for which the method is not
/// defined, and for a count of 0. The caller has checked that the model has the explained output.
Baseline make_baseline(const ExactShapley& method, const BaselineInput& input);

/// A baseline with its references and base values.
class PreparedBaseline {
 public:
  /// Nothing if the method is a rule. `contrasts`, `background`, `options` and `reference`, the
  /// resolved reference point, outlive the result.
  static std::optional<PreparedBaseline> make(const Method& method, const Contrasts& contrasts,
                                              const ExplainOptions& options,
                                              OptionalRows background,
                                              std::span<const double> reference);

  Attribution explain(const RowDecider& decide, const InputRows& in) const;
  ExplainedOutput output() const { return output_; }
  bool has_errors() const { return has_errors_; }
  Accounting accounting(const RowDecision&) const {
    return {output_ == ExplainedOutput::g ? Conversion::scale : Conversion::none, false};
  }

 private:
  template <class M>
  PreparedBaseline(const M& method, const Contrasts& contrasts, const ExplainOptions& options,
                   OptionalRows background, std::span<const double> reference);

  /// The mean of the explained output over the references.
  double base_of(Model::ClassPair pair) const;

  const Contrasts* contrasts_;
  Matrix references_;  // if the method has a number of them
  Baseline baseline_;
  ExplainedOutput output_ = ExplainedOutput::f;
  bool has_errors_ = false;
  MatrixView<const double> base_rows_;
  std::unique_ptr<PairCache<double>> bases_;
};

/// (1 - share) E + share (|E| / |N|) N for the relevance E of a method and N of the neighborhood
/// rule, with sums of absolute values.
struct Blend {
  std::variant<PreparedLrp, PreparedBaseline> method;
  Neighborhood neighborhood;
  double share;

  Attribution explain(const RowDecider& decide, const InputRows& in) const;
  ExplainedOutput output() const;
  bool has_errors() const;
  Accounting accounting(const RowDecision& decision) const;
};

using Prepared = std::variant<PreparedLrp, PreparedBaseline, Neighborhood, Blend>;

}  // namespace bisector::detail
