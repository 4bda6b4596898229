#include "core/explain/heuristics.h"
#include "core/explain/rules.h"

namespace bisector::detail {

double default_eta(const EtaRule&, const ExplainSettings& settings) {
  return settings.gamma ? kernel_eta(*settings.gamma, *settings.median_distance) : kNeighborEta;
}

Directions make_directions(const EtaRule&, const std::vector<double>&) { return nullptr; }

}  // namespace bisector::detail
