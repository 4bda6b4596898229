#include <algorithm>

#include "core/explain/baselines/batches.h"

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
  differentiate_made_rows(gradient, rows.rows() * steps, rows.cols(), fill,
                          [&](std::size_t i, std::span<const double> slope) {
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(i / steps, d) += slope[d] / static_cast<double>(steps);
                          });
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) relevance(r, d) *= rows(r, d) - reference[d];
  }
  return relevance;
}

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
