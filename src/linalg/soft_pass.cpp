#include "linalg/soft_pass.h"

#include <algorithm>
#include <cmath>

#include "linalg/vectors.h"

namespace bisector::linalg {

SoftPass::SoftPass(MatrixView<const double> points, std::span<const double> log_weights,
                   double gamma, MatrixView<const double> values, double radius, bool single,
                   Tolerance tolerance)
    : gamma_(gamma),
      radius_(radius),
      tolerance_(tolerance),
      f64_(points, log_weights, gamma, values) {
  if (single) f32_.emplace(points, log_weights, gamma, values);
}

SoftPass::Route SoftPass::route(double row_norm) const {
  if (f32_ && product_error<float>(gamma_, radius_, row_norm) <= tolerance_.f32)
    return {true, DistanceForm::inner_products};
  return {false, choose_form<double>(gamma_, radius_, row_norm, tolerance_.f64)};
}

void SoftPass::run(MatrixView<const double> rows, std::size_t value_columns,
                   std::vector<SoftRow>& result) const {
  result.resize(rows.rows());
  std::vector<double> squared_norms(rows.rows());
  std::vector<Route> routes(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    squared_norms[r] = squared_norm(rows.row(r));
    routes[r] = route(std::sqrt(squared_norms[r]));
  }
  for (std::size_t first = 0; first < rows.rows();) {
    std::size_t last = first + 1;
    while (last < rows.rows() && routes[last] == routes[first]) ++last;
    const auto run = rows.rows(first, last - first);
    const auto norms = std::span<const double>(squared_norms).subspan(first, last - first);
    const auto part = std::span(result).subspan(first, last - first);
    if (routes[first].single)
      run_on(*f32_, run, norms, routes[first].form, value_columns, part);
    else
      run_on(f64_, run, norms, routes[first].form, value_columns, part);
    first = last;
  }
}

template <class T>
void SoftPass::run_on(const SoftPoints<T>& points, MatrixView<const double> rows,
                      std::span<const double> squared_norms, DistanceForm form,
                      std::size_t value_columns, std::span<SoftRow> result) const {
  AlignedVector<T> converted(rows.rows() * rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    std::ranges::transform(rows.row(r),
                           converted.begin() + static_cast<std::ptrdiff_t>(r * rows.cols()),
                           [](double value) { return static_cast<T>(value); });
  SoftSums<T> sums;
  points.reduce({converted.data(), rows.rows(), rows.cols()}, form, value_columns, sums);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    result[r].log_sum = sums.largest[r] + std::log(sums.sum[r]);
    result[r].offset = form == DistanceForm::inner_products ? -gamma_ * squared_norms[r] : 0.0;
    result[r].mean.resize(value_columns);
    const auto weighted = sums.weighted_row(r, value_columns);
    for (std::size_t v = 0; v < value_columns; ++v)
      result[r].mean[v] = static_cast<double>(weighted[v]) / sums.sum[r];
  }
}

}  // namespace bisector::linalg
