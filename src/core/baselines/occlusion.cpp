#include <algorithm>

#include "bisector/baselines.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"

namespace bisector {

using namespace detail;

Matrix occlusion(const BatchFunction& function, MatrixView<const double> rows,
                 std::span<const double> reference) {
  require_reference(rows, reference);
  const std::size_t features = rows.cols();
  const std::vector<double> values = evaluate_rows(function, rows);
  Matrix relevance(rows.rows(), features);
  const auto fill = [&](std::size_t i, std::span<double> row) {
    std::ranges::copy(rows.row(i / features), row.begin());
    row[i % features] = reference[i % features];
  };
  evaluate_made_rows(function, checked_product({rows.rows(), features}), features, fill,
                     [&](std::size_t i, double without) {
                       relevance(i / features, i % features) = values[i / features] - without;
                     });
  return relevance;
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const Occlusion& method, const BaselineInput& in) {
  return [=](const PairRows& of) -> BaselineResult {
    return {occlusion(of.contrast.function(method.output), of.rows, in.reference)};
  };
}

}  // namespace bisector::detail
