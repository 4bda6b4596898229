#include "core/explain/heuristics.h"
#include "core/explain/rules.h"

namespace bisector::detail {

double default_eta(const EtaRule&, const ExplainSettings& settings) {
  return settings.gamma ? kernel_eta(*settings.gamma, *settings.median_distance) : kNeighborEta;
}

std::optional<WayPlan> plan_ways(const EtaRule&, const RuleInput&) { return std::nullopt; }

}  // namespace bisector::detail
