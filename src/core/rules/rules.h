// The LRP rules: their default eta and the paths along which they average gradients. One file for
// each rule.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/reference_rows.h"
#include "core/rules/contrast_paths.h"
#include "core/rules/heuristics.h"

namespace bisector::detail {

template <class M>
concept LrpRule = requires(const M& method) {
  method.responsibilities;
};

/// A rule into which the neighborhood rule can be blended.
template <class M>
concept BlendableRule = LrpRule<M> && requires(const M& method) {
  method.neighborhood;
};

/// From the settings' gamma and median distance, or k.
double default_eta(const EtaRule& rule, const ExplainSettings& settings);
double default_eta(const PathRule& rule, const ExplainSettings& settings);
double default_eta(const ExpectedPathRule& rule, const ExplainSettings& settings);

/// The input from which a rule is prepared.
struct RuleInput {
  const Model& model;
  OptionalRows background;
  const ResolvedReference& reference;
};

/// These throw InvalidInput for 0 steps. The eta rule has no paths; its gradient is at the rows.
std::optional<PathPlan> plan_paths(const EtaRule& rule, const RuleInput& input);
std::optional<PathPlan> plan_paths(const PathRule& rule, const RuleInput& input);
std::optional<PathPlan> plan_paths(const ExpectedPathRule& rule, const RuleInput& input);

/// The default side of the references.
ReferenceSide default_side(const Model& model);

}  // namespace bisector::detail
