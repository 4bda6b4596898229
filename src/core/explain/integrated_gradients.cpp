#include "bisector/baselines.h"
#include "core/explain/baselines.h"
#include "core/explain/batches.h"
#include "core/linalg/quadrature.h"

namespace bisector {

using namespace detail;

namespace {

/// The middles of equal parts.
linalg::Quadrature midpoints(std::size_t steps) {
  linalg::Quadrature rule;
  for (std::size_t s = 0; s < steps; ++s) {
    rule.nodes.push_back((static_cast<double>(s) + 0.5) / static_cast<double>(steps));
    rule.weights.push_back(1.0 / static_cast<double>(steps));
  }
  return rule;
}

Matrix integrate(const BatchGradient& gradient, MatrixView<const double> rows,
                 std::span<const double> reference, const linalg::Quadrature& rule) {
  require_reference(rows, reference);
  const std::size_t steps = rule.nodes.size();
  Matrix relevance(rows.rows(), rows.cols());
  // Row after row, so that a row's steps are added in the same order wherever a batch ends.
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const double fraction = rule.nodes[i % steps];
    for (std::size_t d = 0; d < row.size(); ++d)
      row[d] = reference[d] + fraction * (rows(i / steps, d) - reference[d]);
  };
  differentiate_made_rows(gradient, checked_product({rows.rows(), steps}), rows.cols(), fill,
                          [&](std::size_t i, std::span<const double> slope) {
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(i / steps, d) += slope[d] * rule.weights[i % steps];
                          });
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) relevance(r, d) *= rows(r, d) - reference[d];
  }
  return relevance;
}

}  // namespace

Matrix integrated_gradients(const BatchGradient& gradient, MatrixView<const double> rows,
                            std::span<const double> reference, std::size_t steps) {
  require_some(steps, "steps");
  return integrate(gradient, rows, reference, midpoints(steps));
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& in) {
  in.contrasts.require_gradient("integrated gradients");
  require_some(method.steps, "steps");
  return [=](const PairRows& of) {
    // A polynomial's integral is exact at a few Gauss nodes.
    if (const auto nodes = in.contrasts.exact_nodes(of.pair))
      return integrate(in.contrasts.gradient(of.pair, method.output), of.rows, in.reference,
                       linalg::gauss_legendre(*nodes));
    return integrated_gradients(in.contrasts.gradient(of.pair, method.output), of.rows,
                                in.reference, method.steps);
  };
}

}  // namespace bisector::detail
