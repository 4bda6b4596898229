#include "core/linalg/soft_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/vectors.h"

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
  // Where all points are one, no error is left to tell, however large the row is.
  const bool fits = row_norm < std::numeric_limits<float>::max();
  if (f32_ && fits && product_error<float>(gamma_, radius_, row_norm) <= tolerance_.f32)
    return {true, DistanceForm::inner_products};
  return {false, choose_form<double>(gamma_, radius_, row_norm, tolerance_.f64)};
}

SoftRows SoftPass::run(MatrixView<const double> rows, std::size_t value_columns) const {
  SoftRows result(rows.rows(), value_columns);
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
    if (routes[first].single)
      run_on(*f32_, run, norms, routes[first].form, first, result);
    else
      run_on(f64_, run, norms, routes[first].form, first, result);
    first = last;
  }
  return result;
}

/// Fills the rows of the result from `first` on.
template <class T>
void SoftPass::run_on(const SoftPoints<T>& points, MatrixView<const double> rows,
                      std::span<const double> squared_norms, DistanceForm form, std::size_t first,
                      SoftRows& result) const {
  AlignedVector<T> converted(rows.rows() * rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    std::ranges::transform(rows.row(r),
                           converted.begin() + static_cast<std::ptrdiff_t>(r * rows.cols()),
                           [](double value) { return static_cast<T>(value); });
  const std::size_t value_columns = result[first].mean.size();
  SoftSums<T> sums;
  points.reduce({converted.data(), rows.rows(), rows.cols()}, form, value_columns, sums);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    SoftRow& row = result[first + r];
    row.log_sum = sums.largest[r] + std::log(sums.sum[r]);
    row.offset = form == DistanceForm::inner_products ? -gamma_ * squared_norms[r] : 0.0;
    const auto weighted = sums.weighted_row(r, value_columns);
    const double share = 1.0 / sums.sum[r];  // the sum is at least about one
    for (std::size_t v = 0; v < value_columns; ++v)
      row.mean[v] = static_cast<double>(weighted[v]) * share;
  }
}

}  // namespace bisector::linalg
