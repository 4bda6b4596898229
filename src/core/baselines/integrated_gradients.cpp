#include "bisector/baselines.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"
#include "core/linalg/quadrature.h"

namespace bisector {

using namespace detail;

namespace {

/// A point of the path at which a gradient is taken.
struct Step {
  double fraction, parts;  // its weight is 1 / parts
};

template <class At>  // at(s), a Step
Matrix integrate(const BatchGradient& gradient, MatrixView<const double> rows,
                 std::span<const double> reference, std::size_t steps, const At& at) {
  require_reference(rows, reference);
  Matrix relevance(rows.rows(), rows.cols());
  // Row after row, so that a row's steps are added in the same order for every size of batch.
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const double fraction = at(i % steps).fraction;
    for (std::size_t d = 0; d < row.size(); ++d)
      row[d] = reference[d] + fraction * (rows(i / steps, d) - reference[d]);
  };
  differentiate_made_rows(gradient, checked_product({rows.rows(), steps}), rows.cols(), fill,
                          [&](std::size_t i, std::span<const double> slope) {
                            const double parts = at(i % steps).parts;
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(i / steps, d) += slope[d] / parts;
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
  // The midpoints of equal parts.
  const auto count = static_cast<double>(steps);
  return integrate(gradient, rows, reference, steps, [&](std::size_t s) {
    return Step{(static_cast<double>(s) + 0.5) / count, count};
  });
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& in) {
  in.contrasts.require_gradient("integrated gradients");
  require_some(method.steps, "steps");
  return [=](const PairRows& of) -> BaselineResult {
    const BatchGradient gradient = of.contrast.gradient(method.output);
    // The integral of a polynomial is exact at a few Gauss nodes.
    if (const auto nodes = of.contrast.exact_nodes()) {
      const linalg::Quadrature rule = linalg::gauss_legendre(*nodes);
      return {integrate(gradient, of.rows, in.reference, *nodes, [&](std::size_t s) {
        return Step{rule.nodes[s], 1.0 / rule.weights[s]};
      })};
    }
    return {integrated_gradients(gradient, of.rows, in.reference, method.steps)};
  };
}

}  // namespace bisector::detail
