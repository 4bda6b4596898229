// What an explainer decides before it sees a row: method and options checked against the model, the
// heuristics where they say nothing.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "core/contrast/class_choice.h"
#include "core/rules/heuristics.h"
#include "core/rules/rules.h"

namespace bisector::detail {

struct ResolvedOptions {
  Method method;  // what Auto stands for, or the method that was asked for
  ExplainSettings settings;
  ResolvedReference reference;
  ClassChoice choice;
  /// What runs through the pools. For a baseline eta is 0: the cheapest rule, which decides about
  /// predictions and pairs as every other.
  double eta = 0.0;
  double beta = 0.0;      // kernel machines
  std::size_t kappa = 0;  // neighbors
  bool ignore_intercept = false;
  std::optional<PathPlan> ways;  // path rules
  double neighborhood = 0.0;     // the share of the neighborhood rule: 1 where it is the method
};

/// Throws InvalidInput for a method or options that do not fit the model.
ResolvedOptions resolve_options(const Model& model, const Method& method,
                                const ExplainOptions& options);

/// The level at which a regressor is explained: the one that was asked for, else the mean of its
/// training target where it knows that, else 0. Nothing for classifiers; throws InvalidInput where
/// they were given a level, and for one that is not finite.
std::optional<double> resolve_level(const Model& model, std::optional<double> level);

}  // namespace bisector::detail
