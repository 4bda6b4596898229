#include "core/explain/explainer_parts.h"

#include "core/contrast/reference_rows.h"
#include "core/explain/auto_method.h"

namespace bisector::detail {
namespace {

ContrastOptions contrast_options(const ResolvedOptions& resolved, const ExplainOptions& options,
                                 const RelevanceRule& rule) {
  // Exact Shapley values are computed in double precision and need no second copy of the points.
  const bool is_double = std::holds_alternative<ExactShapley>(resolved.method);
  return {resolved.choice,
          resolved.settings.level.value_or(0.0),
          resolved.beta,
          resolved.kappa,
          resolved.ignore_intercept,
          is_double ? Precision::float64 : options.precision,
          options.threads,
          options.unit != Unit::g,
          rule.values()};
}

OutsideCheck make_outside_check(const Model& model, const std::optional<Matrix>& background) {
  if (!background || background->rows() < OutsideCheck::kLeast)
    return OutsideCheck(model.shared_points(), points_kind(model), model.distance());
  return OutsideCheck(
      SharedMatrix(draw_rows(model, background, OutsideCheck::kSample, 0).model_space),
      OutsideCheck::Points::sample, model.distance());
}

}  // namespace

ExplainerParts::ExplainerParts(const Model& given, const ExplainOptions& wanted,
                               const ResolvedOptions& resolved)
    : model(given),
      options(wanted),
      rule(model.input(), resolved.reference.model_space, resolved.reference.input_space,
           resolved.eta, model.distance()),
      of_contrasts(contrast_options(resolved, options, rule)),
      contrasts(model, of_contrasts),
      is_outside(make_outside_check(model, options.background)) {
  if (resolved.neighborhood > 0.0)
    neighborhood.emplace(model, options.background, of_contrasts.level, seed_of(resolved.method),
                         options.threads);
  if (options.unit != Unit::g) scales.emplace(contrasts, options.background);
}

}  // namespace bisector::detail
