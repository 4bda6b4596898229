// The baselines made ready for a model, one file for each: bisector/baselines.h has what they
// compute of any function.
#pragma once

#include <functional>
#include <span>

#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/contrast_functions.h"

namespace bisector::detail {

/// Rows that share a pair of classes.
struct PairRows {
  Model::ClassPair pair;
  MatrixView<const double> rows;
  std::span<const std::size_t> numbers;  // theirs in their file
};
/// Their relevance.
using Baseline = std::function<Matrix(const PairRows& of)>;

/// All of it outlives the baseline; points are in the model's input space.
struct BaselineInput {
  const ContrastFunctions& contrasts;
  std::span<const double> reference;
  MatrixView<const double> references;  // one or more, to average over
};

/// Throw InvalidInput for a model that the method is not defined for, and for none of what it
/// counts; the output is one that the model has.
Baseline make_baseline(const GradientTimesInput& method, const BaselineInput& input);
Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& input);
Baseline make_baseline(const Sensitivity& method, const BaselineInput& input);
Baseline make_baseline(const Occlusion& method, const BaselineInput& input);
Baseline make_baseline(const SampledShapley& method, const BaselineInput& input);
Baseline make_baseline(const ExactShapley& method, const BaselineInput& input);

}  // namespace bisector::detail
