#include "core/explain/batches.h"
#include "core/explain/heuristics.h"
#include "core/explain/rules.h"
#include "core/models/rows.h"

namespace bisector::detail {

double default_eta(const PathRule&, const ExplainSettings& settings) {
  return settings.gamma ? kernel_path_eta(*settings.gamma, *settings.median_distance)
                        : kNeighborPathEta;
}

Directions make_directions(const PathRule& rule, const std::vector<double>& reference) {
  require_some(rule.steps, "steps of the path");
  const auto steps = static_cast<double>(rule.steps);
  return [steps, count = rule.steps, reference](MatrixView<const double> rows,
                                                const MomentDifference& difference) {
    Matrix directions(rows.rows(), rows.cols());
    for (std::size_t step = 0; step < count; ++step) {
      const double fraction = (static_cast<double>(step) + 0.5) / steps;
      const Matrix at_step = difference(on_the_way(rows, reference, fraction).view());
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        for (std::size_t d = 0; d < rows.cols(); ++d) directions(r, d) += at_step(r, d) / steps;
      }
    }
    return directions;
  };
}

}  // namespace bisector::detail
