// Baselines made ready for a model, one file for each. bisector/baselines.h has what they compute
// for any function.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/reference_rows.h"

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

/// All members outlive the baseline; points are in the model's input space.
struct BaselineInput {
  const Contrasts& contrasts;
  std::span<const double> reference;
  MatrixView<const double> references;        // one or more, to average over
  std::span<const std::size_t> players = {};  // ExplainOptions::players
};

/// These throw InvalidInput for a model for which the method is not defined, and for a count of 0.
/// The caller has checked that the model has the explained output.
Baseline make_baseline(const GradientTimesInput& method, const BaselineInput& input);
Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& input);
Baseline make_baseline(const Sensitivity& method, const BaselineInput& input);
Baseline make_baseline(const Occlusion& method, const BaselineInput& input);
Baseline make_baseline(const SampledShapley& method, const BaselineInput& input);
Baseline make_baseline(const ExactShapley& method, const BaselineInput& input);

/// A baseline with its references and base values.
class PreparedBaseline {
 public:
  /// Null if the method is a rule. `contrasts`, `background` and `reference`, the resolved
  /// reference point, outlive the result.
  static std::unique_ptr<const PreparedBaseline> make(const Method& method,
                                                      const Contrasts& contrasts,
                                                      const ExplainOptions& options,
                                                      OptionalRows background,
                                                      std::span<const double> reference);

  BaselineResult explain(const PairRows& of) const { return baseline_(of); }
  /// True if the results have standard errors.
  bool is_drawn() const { return is_drawn_; }
  ExplainedOutput output() const { return output_; }
  /// The mean of the explained output over the references.
  double base(Model::ClassPair pair) const;

 private:
  template <class M>
  void prepare(const M& method, const ExplainOptions& options, OptionalRows background,
               std::span<const double> reference);

  explicit PreparedBaseline(const Contrasts& contrasts) : contrasts_(contrasts) {}

  const Contrasts& contrasts_;
  Matrix references_;  // if the method has a number of them
  Baseline baseline_;
  ExplainedOutput output_ = ExplainedOutput::f;
  bool is_drawn_ = false;
  MatrixView<const double> base_rows_;
  PairCache<double> bases_;
};

}  // namespace bisector::detail
