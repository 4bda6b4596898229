#include "core/contrast/batches.h"
#include "core/contrast/reference_rows.h"
#include "core/rules/heuristics.h"
#include "core/rules/rules.h"

namespace bisector::detail {
double default_eta(const ExpectedPathRule&, const ExplainSettings& settings) {
  return settings.k ? kNeighborExpectedEta : 0.0;
}

ReferenceSide default_side(const Model& model) {
  const bool one_sided = model.is_regressor() || model.is_detector();
  return one_sided ? ReferenceSide::all : ReferenceSide::both;
}

std::optional<PathPlan> plan_paths(const ExpectedPathRule& rule, const RuleInput& input) {
  require_some(rule.references, "references of the paths");
  DrawnRows drawn = draw_rows(input.model, input.background, kMaxReferenceCandidates, rule.seed);
  const bool is_mixed = input.model.input().has_matrix();
  return PathPlan{
      std::move(drawn.model_space),
      is_mixed ? std::move(drawn.input_space) : Matrix(),
      rule.references,
      rule.side.value_or(default_side(input.model)),
      rule.seed,
      input.background ? ReferenceRows::Source::background : ReferenceRows::Source::points};
}

}  // namespace bisector::detail
