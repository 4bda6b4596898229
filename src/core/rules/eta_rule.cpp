#include "core/rules/heuristics.h"
#include "core/rules/rules.h"

namespace bisector::detail {

double default_eta(const EtaRule&, const ExplainSettings& settings) {
  return settings.gamma ? kernel_eta(*settings.gamma, *settings.median_distance) : kNeighborEta;
}

std::optional<PathPlan> plan_paths(const EtaRule&, const RuleInput&) { return std::nullopt; }

}  // namespace bisector::detail
