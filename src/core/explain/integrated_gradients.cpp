#include "bisector/baselines.h"
#include "core/explain/baselines.h"
#include "core/explain/batches.h"

namespace bisector {

using namespace detail;

Matrix integrated_gradients(const BatchGradient& gradient, MatrixView<const double> rows,
                            std::span<const double> reference, std::size_t steps) {
  require_reference(rows, reference);
  require_some(steps, "steps");
  Matrix relevance(rows.rows(), rows.cols());
  // Row after row, so that a row's steps are added in the same order wherever a batch ends.
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const double fraction = (static_cast<double>(i % steps) + 0.5) / static_cast<double>(steps);
    for (std::size_t d = 0; d < row.size(); ++d)
      row[d] = reference[d] + fraction * (rows(i / steps, d) - reference[d]);
  };
  differentiate_made_rows(gradient, checked_product({rows.rows(), steps}), rows.cols(), fill,
                          [&](std::size_t i, std::span<const double> slope) {
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(i / steps, d) += slope[d] / static_cast<double>(steps);
                          });
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) relevance(r, d) *= rows(r, d) - reference[d];
  }
  return relevance;
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& in) {
  in.contrasts.require_gradient("integrated gradients");
  require_some(method.steps, "steps");
  return [=](const PairRows& of) {
    return integrated_gradients(in.contrasts.gradient(of.pair, method.output), of.rows,
                                in.reference, method.steps);
  };
}

}  // namespace bisector::detail
