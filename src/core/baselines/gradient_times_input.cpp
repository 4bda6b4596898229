#include <algorithm>

#include "bisector/baselines.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"

namespace bisector {

using namespace detail;

Matrix gradient_times_input(const BatchGradient& gradient, MatrixView<const double> rows,
                            std::span<const double> reference) {
  require_reference(rows, reference);
  Matrix relevance(rows.rows(), rows.cols());
  const auto fill = [&](std::size_t r, std::span<double> row) {
    std::ranges::copy(rows.row(r), row.begin());
  };
  differentiate_made_rows(gradient, rows.rows(), rows.cols(), fill,
                          [&](std::size_t r, std::span<const double> slope) {
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(r, d) = (rows(r, d) - reference[d]) * slope[d];
                          });
  return relevance;
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const GradientTimesInput& method, const BaselineInput& in) {
  in.contrasts.require_gradient("gradient x input");
  return [=](const PairRows& of) -> BaselineResult {
    return {gradient_times_input(of.contrast.gradient(method.output), of.rows, in.reference)};
  };
}

}  // namespace bisector::detail
