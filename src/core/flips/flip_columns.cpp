#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/flip.h"
#include "core/flips/point_rows.h"

namespace bisector {

using namespace detail;

namespace {

constexpr int kMostDecimals = 12;

/// The decimals of one value, or more than kMostDecimals if it is not a short decimal number.
/// `tolerance` covers the rounding errors of values that were scaled and scaled back.
int decimals_of(double value, double tolerance) {
  double unit = 1.0;
  for (int digits = 0; digits <= kMostDecimals; ++digits, unit *= 10.0) {
    if (std::abs(value - std::round(value * unit) / unit) <= tolerance) return digits;
  }
  return kMostDecimals + 1;
}

struct Values {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  int decimals = 0;

  void add(MatrixView<const double> rows, std::size_t feature, double relative_tolerance) {
    int most = 0;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const double value = rows(r, feature);
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
      if (most <= kMostDecimals)
        most = std::max(most, decimals_of(value, relative_tolerance * std::abs(value)));
    }
    // Values that were computed say nothing about how the column is written.
    if (most <= kMostDecimals || relative_tolerance == 0.0) decimals = std::max(decimals, most);
  }
};

FlipColumn number_column(std::size_t feature, MatrixView<const double> rows, const Matrix& points) {
  Values values;
  values.add(points.view(), feature, 1e-13);
  const Values of_points = values;
  values.add(rows, feature, 0.0);
  FlipColumn column{.features = {feature}};
  if (values.lowest > values.highest) return column;
  // Rounding may move the ends of the points' range by their last digit.
  column.lowest = values.lowest;
  column.highest = values.highest;
  const double range = values.highest - values.lowest;
  int decimals = std::min(values.decimals, kMostDecimals);
  if (range > 0.0)
    decimals = std::clamp(static_cast<int>(std::ceil(5.0 - std::log10(range))), 0, decimals);
  column.decimals = decimals;
  if (of_points.lowest <= of_points.highest) {
    double unit = 1.0;
    for (int d = 0; d < decimals; ++d) unit *= 10.0;
    const auto snapped = [&](double value) {
      const double written = std::round(value * unit) / unit;
      return std::abs(written - value) <= 1e-12 * std::abs(value) ? written : value;
    };
    column.lowest = snapped(column.lowest);
    column.highest = snapped(column.highest);
  }
  return column;
}

/// The columns of an encoding, with their levels; numbers have no range yet.
std::vector<FlipColumn> encoded_columns(const TableEncoding& encoding) {
  using Kind = ColumnEncoding::Kind;
  std::vector<FlipColumn> columns;
  std::size_t feature = 0;
  for (const ColumnEncoding& encoded : encoding.columns()) {
    FlipColumn column;
    const std::size_t levels = encoded.levels.size();
    const std::size_t width = encoded.kind == Kind::one_hot ? levels : 1;
    for (std::size_t i = 0; i < width; ++i) column.features.push_back(feature++);
    if (encoded.kind != Kind::numeric) {
      column.levels = Matrix(levels, width);
      for (std::size_t l = 0; l < levels; ++l) {
        if (width > 1)
          column.levels(l, l) = 1.0;
        else
          column.levels(l, 0) = encoded.kind == Kind::one_hot ? 1.0 : static_cast<double>(l);
      }
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

std::vector<FlipColumn> flip_columns(const Model& model, MatrixView<const double> rows) {
  if (rows.rows() > 0 && rows.cols() != model.features())
    throw InvalidInput("the rows do not have the model's number of columns");
  const Matrix points = point_rows(model);
  std::vector<FlipColumn> columns;
  if (model.encoding()) {
    columns = encoded_columns(*model.encoding());
  } else {
    for (std::size_t d = 0; d < model.features(); ++d) columns.push_back({.features = {d}});
  }
  for (FlipColumn& column : columns)
    if (column.is_number()) column = number_column(column.features[0], rows, points);
  return columns;
}

}  // namespace bisector
