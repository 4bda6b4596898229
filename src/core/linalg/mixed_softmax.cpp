#include "core/linalg/mixed_softmax.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/linalg/possible_neighbors.h"
#include "core/linalg/vectors.h"

namespace bisector::linalg {

namespace {

/// The rows as numbers of type T; doubles are not copied.
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

template <class T>
void set_row(const SoftmaxState<T>& state, std::size_t r, double offset, SoftmaxRow& row) {
  row.log_sum = state.largest[r] + std::log(state.sum[r]);
  row.offset = offset;
  const auto weighted = state.weighted_row(r, row.mean.size());
  const double share = 1.0 / state.sum[r];  // the sum is at least about one
  for (std::size_t v = 0; v < weighted.size(); ++v)
    row.mean[v] = static_cast<double>(weighted[v]) * share;
}

/// True for wide points that are nearly all zeros, such as word counts. A second copy of them would
/// be most of the memory, and packing is cheap relative to such a wide product.
bool are_wide_and_sparse(const PointSet& points) {
  constexpr std::size_t kWide = 4096, kMany = std::size_t{1} << 22;
  const std::size_t all = points.size() * points.features();
  if (points.features() < kWide || all < kMany) return false;
  std::size_t nonzero = 0;
  for (std::size_t n = 0; n < points.size(); ++n)
    nonzero += static_cast<std::size_t>(
        std::ranges::count_if(points[n], [](double value) { return value != 0.0; }));
  return nonzero < all / 10;
}

Panels panels_of(const PointSet& points, bool single) {
  return single || are_wide_and_sparse(points) ? Panels::packed : Panels::kept;
}

/// True if single precision can hold the scores and the moments. x.u and u^2 overflow it above
/// about 1e38, u^2 loses digits below about 1e-38, and 2 gamma has to be a normal number.
bool is_in_single_range(double gamma, double radius, double row_norm) {
  constexpr double kLargestGamma = 1e30;
  return radius <= kLargestForSingle && row_norm <= kLargestForSingle &&
         (radius == 0.0 || radius >= 1.0 / kLargestForSingle) && gamma <= kLargestGamma &&
         gamma >= 1.0 / kLargestGamma;
}

/// True if the largest entry of every column is a normal number of single precision, far from the
/// ends of its range: entries that vanish relative to it change no digit of a mean.
bool columns_fit_single(MatrixView<const double> values) {
  constexpr double kLargest = 1e25;
  for (std::size_t v = 0; v < values.cols(); ++v) {
    double largest = 0.0;
    for (std::size_t n = 0; n < values.rows(); ++n)
      largest = std::max(largest, std::abs(values(n, v)));
    if (largest > kLargest || (largest > 0.0 && largest < 1.0 / kLargest)) return false;
  }
  return true;
}

}  // namespace

MixedPanels::MixedPanels(const SharedPoints& points, bool single)
    : f64(std::make_shared<const PointPanels<double>>(points, panels_of(*points, single))),
      f32(single ? std::make_shared<const PointPanels<float>>(points, Panels::kept) : nullptr) {}

bool MixedSoftmax::serves_single(double gamma, double radius, ExponentTolerance tolerance) {
  return is_in_single_range(gamma, radius, 0.0) &&
         product_error<float>(gamma, radius, 0.0) <= tolerance.f32;
}

MixedSoftmax::MixedSoftmax(const MixedPanels& panels, std::span<const double> log_weights,
                           double gamma, const std::optional<SharedMatrix>& values, double radius,
                           ExponentTolerance tolerance, std::size_t moments)
    : gamma_(gamma),
      radius_(radius),
      tolerance_(tolerance),
      f64_(panels.f64, log_weights, gamma, values, moments) {
  if (panels.f32 && is_in_single_range(gamma, radius, 0.0) &&
      (!values || columns_fit_single((*values)->view())))
    f32_.emplace(panels.f32, log_weights, gamma, values, moments);
}

MixedSoftmax::Route MixedSoftmax::route(double row_norm) const {
  if (f32_ && is_in_single_range(gamma_, radius_, row_norm) &&
      product_error<float>(gamma_, radius_, row_norm) <= tolerance_.f32)
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

SoftmaxRows MixedSoftmax::run_on_lines(MatrixView<const double> rows, const Lines<double>& lines,
                                       unsigned threads) const {
  SoftmaxRows result(rows.rows() * lines.steps.size(), rows.cols());
  const double start_norm = largest_norm(lines.starts);
  // No point of a line has a larger norm than both of its ends.
  const auto outermost = [&](std::size_t r) {
    return std::max(std::sqrt(squared_norm(rows.row(r))), start_norm);
  };
  for (std::size_t first = 0; first < rows.rows();) {
    const Route shared = route(outermost(first));
    std::size_t last = first + 1;
    while (last < rows.rows() && route(outermost(last)) == shared) ++last;
    const auto run = rows.rows(first, last - first);
    const std::size_t at = first * lines.steps.size();
    if (shared.form == DistanceForm::differences)
      run_at_line_points(run, lines, at, result, [&](MatrixView<const double> points) {
        return this->run(points, points.cols(), threads);
      });
    else if (shared.single)
      run_lines_on(*f32_, run, lines, at, threads, result);
    else
      run_lines_on(f64_, run, lines, at, threads, result);
    first = last;
  }
  return result;
}

/// Fills the rows of the result from `first` on.
template <class T>
void MixedSoftmax::run_lines_on(const SoftmaxReduction<T>& reduction, MatrixView<const double> rows,
                                const Lines<double>& lines, std::size_t first, unsigned threads,
                                SoftmaxRows& result) const {
  AlignedVector<T> row_buffer, start_buffer;
  const SoftmaxState<T> state = reduction.reduce_on_lines(
      converted<T>(rows, row_buffer), {converted<T>(lines.starts, start_buffer), lines.steps},
      rows.cols(), threads);
  std::vector<double> point(rows.cols());
  for (std::size_t i = 0; i < state.sum.size(); ++i) {
    const std::size_t steps = lines.steps.size();
    point_on_line(rows.row(i / steps), lines, lines.steps[i % steps], point);
    set_row(state, i, -gamma_ * squared_norm(point), result[first + i]);
  }
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
  for (std::size_t r = 0; r < rows.rows(); ++r)
    set_row(state, r, form == DistanceForm::inner_products ? -gamma_ * squared_norms[r] : 0.0,
            result[first + r]);
}

}  // namespace bisector::linalg
