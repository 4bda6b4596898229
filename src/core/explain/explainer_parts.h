// The parts of an explainer that do not depend on its number of references: the model's points in
// the form that passes over them need, which is most of its memory, and the background.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "core/contrast/contrasts.h"
#include "core/explain/outside.h"
#include "core/explain/resolve_options.h"
#include "core/explain/units.h"
#include "core/rules/neighborhood.h"
#include "core/rules/relevance_rule.h"

namespace bisector::detail {

struct ExplainerParts {
  ExplainerParts(const Model& model, const ExplainOptions& options,
                 const ResolvedOptions& resolved);

  Model model;
  ExplainOptions options;
  RelevanceRule rule;
  ContrastOptions of_contrasts;
  Contrasts contrasts;
  OutsideCheck is_outside;
  std::optional<Neighborhood> neighborhood;
  std::optional<UnitScales> scales;  // for methods on g in other units
};

}  // namespace bisector::detail
