#include "core/linalg/mixed_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/linalg/vectors.h"

namespace bisector::linalg {

namespace {

/// The rows as numbers of type T: those of doubles as they stand.
template <class T>
MatrixView<const T> converted(MatrixView<const double> rows, AlignedVector<T>& buffer) {
  if constexpr (std::is_same_v<T, double>) {
    return rows;
  } else {
    buffer.resize(rows.rows() * rows.cols());
    for (std::size_t r = 0; r < rows.rows(); ++r)
      std::ranges::transform(rows.row(r), buffer.data() + r * rows.cols(),
                             [](double value) { return static_cast<T>(value); });
    return {buffer.data(), rows.rows(), rows.cols()};
  }
}

}  // namespace

MixedPanels::MixedPanels(const SharedPoints& points, bool single)
    : f64(std::make_shared<const PointPanels<double>>(points,
                                                      single ? Panels::packed : Panels::kept)),
      f32(single ? std::make_shared<const PointPanels<float>>(points, Panels::kept) : nullptr) {}

bool MixedSoftmax::serves_single(double gamma, double radius, ExponentTolerance tolerance) {
  return product_error<float>(gamma, radius, 0.0) <= tolerance.f32;
}

MixedSoftmax::MixedSoftmax(const MixedPanels& panels, std::span<const double> log_weights,
                           double gamma, const std::optional<SharedMatrix>& values, double radius,
                           ExponentTolerance tolerance, std::size_t moments)
    : gamma_(gamma),
      radius_(radius),
      tolerance_(tolerance),
      f64_(panels.f64, log_weights, gamma, values, moments) {
  if (panels.f32) f32_.emplace(panels.f32, log_weights, gamma, values, moments);
}

MixedSoftmax::Route MixedSoftmax::route(double row_norm) const {
  // Where all points are one, no error is left to tell, however large the row is.
  const bool fits = row_norm < std::numeric_limits<float>::max();
  if (f32_ && fits && product_error<float>(gamma_, radius_, row_norm) <= tolerance_.f32)
    return {true, DistanceForm::inner_products};
  return {false, choose_form<double>(gamma_, radius_, row_norm, tolerance_.f64)};
}

SoftmaxRows MixedSoftmax::run(MatrixView<const double> rows, std::size_t value_columns,
                              unsigned threads) const {
  SoftmaxRows result(rows.rows(), value_columns);
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
      run_on(*f32_, run, norms, routes[first].form, first, threads, result);
    else
      run_on(f64_, run, norms, routes[first].form, first, threads, result);
    first = last;
  }
  return result;
}

/// Fills the rows of the result from `first` on.
template <class T>
void MixedSoftmax::run_on(const SoftmaxReduction<T>& reduction, MatrixView<const double> rows,
                          std::span<const double> squared_norms, DistanceForm form,
                          std::size_t first, unsigned threads, SoftmaxRows& result) const {
  AlignedVector<T> buffer;
  const std::size_t value_columns = result[first].mean.size();
  const SoftmaxState<T> state =
      reduction.reduce(converted<T>(rows, buffer), form, value_columns, threads);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    SoftmaxRow& row = result[first + r];
    row.log_sum = state.largest[r] + std::log(state.sum[r]);
    row.offset = form == DistanceForm::inner_products ? -gamma_ * squared_norms[r] : 0.0;
    const auto weighted = state.weighted_row(r, value_columns);
    const double share = 1.0 / state.sum[r];  // the sum is at least about one
    for (std::size_t v = 0; v < value_columns; ++v)
      row.mean[v] = static_cast<double>(weighted[v]) * share;
  }
}

}  // namespace bisector::linalg
