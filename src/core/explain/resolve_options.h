// Checks the method and options against the model and resolves what is left open by heuristics.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "core/contrast/class_choice.h"
#include "core/rules/contrast_paths.h"
#include "core/rules/heuristics.h"

namespace bisector::detail {

struct ResolvedOptions {
  Method method;  // the method that Auto was resolved to, or the one asked for
  ExplainSettings settings;
  ResolvedReference reference;
  ClassChoice choice;
  /// Parameters of the passes. For a baseline eta is 0, the cheapest rule: predictions and pairs of
  /// classes do not depend on it.
  double eta = 0.0;
  double beta = 0.0;      // kernel machines
  std::size_t kappa = 0;  // neighbors
  bool ignore_intercept = false;
  std::optional<PathPlan> paths;  // path rules
  double neighborhood = 0.0;      // share of the neighborhood rule: 1 if it is the method
};

/// `background`: the one that is used. Throws InvalidInput for a method or options that do not fit
/// the model.
ResolvedOptions resolve_options(const Model& model, const Method& method,
                                const ExplainOptions& options,
                                const std::optional<Background>& background);

/// The level at which a regressor is explained: the given one, else the mean of the training target
/// if the model knows it, else 0. Nothing for classifiers. Throws InvalidInput for a level that is
/// not finite, and for a classifier with a level.
std::optional<double> resolve_level(const Model& model, std::optional<double> level);

}  // namespace bisector::detail
