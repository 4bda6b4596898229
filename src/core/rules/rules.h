// The rules of LRP as the passes over the pools see them: which eta they want, and the ways along
// which they take the first half of the relevance. One file for each rule.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/rules/contrast_paths.h"
#include "core/rules/heuristics.h"

namespace bisector::detail {

template <class M>
concept LrpRule = requires(const M& method) {
  method.responsibilities;
};

/// A rule that neighbors may be blended into.
template <class M>
concept BlendableRule = LrpRule<M> && requires(const M& method) {
  method.neighborhood;
};

/// By the model's gamma and median distance, or its k, which the settings have.
double default_eta(const EtaRule& rule, const ExplainSettings& settings);
double default_eta(const PathRule& rule, const ExplainSettings& settings);
double default_eta(const ExpectedPathRule& rule, const ExplainSettings& settings);

/// What the rules are made ready with.
struct RuleInput {
  const Model& model;
  const std::optional<Matrix>& background;
  const ResolvedReference& reference;
};

/// Throw InvalidInput for no steps. The eta rule has no ways: it takes the gradient at the rows.
std::optional<PathPlan> plan_paths(const EtaRule& rule, const RuleInput& input);
std::optional<PathPlan> plan_paths(const PathRule& rule, const RuleInput& input);
std::optional<PathPlan> plan_paths(const ExpectedPathRule& rule, const RuleInput& input);

/// The side that the rule means where it names none.
ReferenceSide default_side(const Model& model);

}  // namespace bisector::detail
