#include <algorithm>

#include "bisector/baselines.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"

namespace bisector {

using namespace detail;

Matrix sensitivity(const BatchFunction& function, const BatchGradient& gradient,
                   MatrixView<const double> rows) {
  const std::vector<double> values = evaluate_rows(function, rows);
  Matrix relevance(rows.rows(), rows.cols());
  const auto fill = [&](std::size_t r, std::span<double> row) {
    std::ranges::copy(rows.row(r), row.begin());
  };
  differentiate_made_rows(gradient, rows.rows(), rows.cols(), fill,
                          [&](std::size_t r, std::span<const double> slope) {
                            const double sign = values[r] > 0.0 ? 1.0 : -1.0;
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(r, d) = sign * slope[d] * slope[d];
                          });
  return relevance;
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const Sensitivity& method, const BaselineInput& in) {
  in.contrasts.require_gradient("sensitivity");
  return [=](const PairRows& of) -> BaselineResult {
    return {sensitivity(of.contrast.function(method.output), of.contrast.gradient(method.output),
                        of.rows)};
  };
}

}  // namespace bisector::detail
