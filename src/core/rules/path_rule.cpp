#include "core/contrast/batches.h"
#include "core/rules/heuristics.h"
#include "core/rules/rules.h"

namespace bisector::detail {

double default_eta(const PathRule&, const ExplainSettings& settings) {
  return settings.gamma ? kernel_path_eta(*settings.gamma, *settings.median_distance)
                        : kNeighborPathEta;
}

std::optional<PathPlan> plan_paths(const PathRule& rule, const RuleInput& input) {
  require_some(rule.steps, "steps of the path");
  const auto one_row = [](const std::vector<double>& point) {
    return Matrix(1, point.size(), point);
  };
  const bool is_mixed = input.model.input().has_matrix();
  return PathPlan{one_row(input.reference.model_space),
                  is_mixed ? one_row(input.reference.input_space) : Matrix(), rule.steps,
                  ReferenceSide::all, 0};
}

}  // namespace bisector::detail
