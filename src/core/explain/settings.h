// What an explainer settles on before it sees a row: the options checked against the model, the
// heuristics where they say nothing.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "core/explain/heuristics.h"
#include "core/neuralize/class_choice.h"

namespace bisector::detail {

struct Settled {
  ExplainSettings settings;
  ResolvedReference reference;
  ClassChoice choice;
};

/// Throws InvalidInput for options that do not fit the model, or a path of no steps.
Settled settle(const Model& model, const ExplainOptions& options,
               const std::optional<PathRule>& path);

/// True for neighbours and centroids, whose pools are ranked.
bool has_ranked_pools(const Model& model);

}  // namespace bisector::detail
