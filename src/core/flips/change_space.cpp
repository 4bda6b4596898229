#include "core/flips/change_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/flip.h"

namespace bisector::detail {
namespace {

void require_columns(const Model& model, const std::vector<FlipColumn>& columns) {
  std::vector<std::size_t> uses(model.features(), 0);
  for (const FlipColumn& column : columns) {
    for (const std::size_t feature : column.features) {
      if (feature >= uses.size())
        throw InvalidInput(
            fmt::format("a column has feature {}, the model has {}", feature, uses.size()));
      ++uses[feature];
    }
    if (column.is_number() ? column.features.size() != 1
                           : column.levels.cols() != column.features.size())
      throw InvalidInput("a column's levels need one value per feature, and a number one feature");
    if (!(column.lowest <= column.highest))
      throw InvalidInput("the range of a column is empty, expected lowest <= highest");
    if (column.decimals && (*column.decimals < 0 || *column.decimals > 15))
      throw InvalidInput("the decimals of a column are 0 to 15");
  }
  if (std::ranges::any_of(uses, [](std::size_t n) { return n != 1; }))
    throw InvalidInput("every feature must be in exactly one column");
}

double power_of_ten(int exponent) {
  double power = 1.0;
  for (int e = 0; e < exponent; ++e) power *= 10.0;
  return power;
}

}  // namespace

Row blend(const Row& from, const Row& to, double fraction) {
  Row result(from.size());
  for (std::size_t d = 0; d < from.size(); ++d)
    result[d] = from[d] == to[d] ? from[d] : from[d] + fraction * (to[d] - from[d]);
  return result;
}

ChangeSpace::ChangeSpace(const Model& model, std::vector<FlipColumn> columns)
    : model_(model), columns_(std::move(columns)), unit_lengths_(model.features(), 1.0) {
  require_columns(model_, columns_);
  const AffineMap& input = model_.input();
  for (std::size_t d = 0; d < unit_lengths_.size(); ++d) {
    double length = input.scale().empty() ? 1.0 : std::abs(input.scale()[d]);
    if (input.has_matrix()) {
      double squares = 0.0;
      for (std::size_t o = 0; o < input.matrix().rows(); ++o)
        squares += input.matrix()(o, d) * input.matrix()(o, d);
      length *= std::sqrt(squares);
    }
    unit_lengths_[d] = length;
  }
  set_movable_lengths();
}

void ChangeSpace::set_movable_lengths() {
  movable_lengths_.assign(unit_lengths_.size(), 0.0);
  for (const FlipColumn& column : columns_)
    for (const std::size_t d : column.features)
      if (column.change != AllowedChange::none) movable_lengths_[d] = unit_lengths_[d];
}

ChangeSpace ChangeSpace::without(std::size_t column) const {
  ChangeSpace space = *this;
  space.columns_[column].change = AllowedChange::none;
  space.set_movable_lengths();
  return space;
}

double ChangeSpace::distance(std::span<const double> a, std::span<const double> b) const {
  const AffineMap& input = model_.input();
  double squares = 0.0;
  if (input.has_matrix()) {
    for (std::size_t o = 0; o < input.matrix().rows(); ++o) {
      double entry = 0.0;
      for (std::size_t d = 0; d < a.size(); ++d)
        entry +=
            input.matrix()(o, d) * (b[d] - a[d]) * (input.scale().empty() ? 1.0 : input.scale()[d]);
      squares += entry * entry;
    }
    return std::sqrt(squares);
  }
  const Distance& metric = model_.distance();
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] == b[d]) continue;
    const double part =
        metric.is_category(d) ? metric.categories()[d] : (b[d] - a[d]) * unit_lengths_[d];
    squares += part * part;
  }
  return std::sqrt(squares);
}

double ChangeSpace::movable_distance(std::span<const double> a, std::span<const double> b) const {
  double squares = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const double part = (b[d] - a[d]) * movable_lengths_[d];
    squares += part * part;
  }
  return std::sqrt(squares);
}

void ChangeSpace::sort_by_distance(std::span<const double> x, std::vector<Row>& rows) const {
  std::vector<std::pair<double, Row>> keyed;
  for (Row& row : rows) keyed.emplace_back(distance(x, row), std::move(row));
  std::ranges::stable_sort(keyed, std::less<>(), [](const auto& entry) { return entry.first; });
  rows.clear();
  for (auto& entry : keyed) rows.push_back(std::move(entry.second));
}

double ChangeSpace::squared_part(std::size_t column, std::span<const double> a,
                                 std::span<const double> b) const {
  double squares = 0.0;
  for (const std::size_t d : columns_[column].features) {
    const double part = (b[d] - a[d]) * unit_lengths_[d];
    squares += part * part;
  }
  return squares;
}

ChangeSpace::Range ChangeSpace::range(std::size_t column, std::span<const double> x) const {
  const FlipColumn& own = columns_[column];
  const double value = x[own.features[0]];
  switch (own.change) {
    case AllowedChange::increase:
      return {value, std::max(own.highest, value)};
    case AllowedChange::decrease:
      return {std::min(own.lowest, value), value};
    case AllowedChange::none:
      return {value, value};
    case AllowedChange::any:
      break;
  }
  return {std::min(own.lowest, value), std::max(own.highest, value)};
}

bool ChangeSpace::differs(std::size_t column, std::span<const double> a,
                          std::span<const double> b) const {
  return std::ranges::any_of(columns_[column].features,
                             [&](std::size_t d) { return a[d] != b[d]; });
}

void ChangeSpace::copy(std::size_t column, std::span<const double> from,
                       std::span<double> to) const {
  for (const std::size_t d : columns_[column].features) to[d] = from[d];
}

std::vector<std::size_t> ChangeSpace::changed(std::span<const double> a,
                                              std::span<const double> b) const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (differs(c, a, b)) result.push_back(c);
  return result;
}

std::size_t ChangeSpace::nearest_level(std::size_t column, std::span<const double> row) const {
  const FlipColumn& own = columns_[column];
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < own.levels.rows(); ++l) {
    double squares = 0.0;
    for (std::size_t i = 0; i < own.features.size(); ++i) {
      const double part = row[own.features[i]] - own.levels(l, i);
      squares += part * part;
    }
    if (squares < least) {
      least = squares;
      best = l;
    }
  }
  return best;
}

bool ChangeSpace::is_allowed(std::size_t column, std::size_t from, std::size_t to) const {
  const AllowedChange change = columns_[column].change;
  return change == AllowedChange::any || (change == AllowedChange::increase && to > from) ||
         (change == AllowedChange::decrease && to < from);
}

void ChangeSpace::set_level(std::size_t column, std::size_t level, std::span<double> row) const {
  const FlipColumn& own = columns_[column];
  for (std::size_t i = 0; i < own.features.size(); ++i) row[own.features[i]] = own.levels(level, i);
}

std::vector<std::size_t> ChangeSpace::reachable_levels(std::size_t column,
                                                       std::span<const double> x) const {
  const std::size_t own = nearest_level(column, x);
  std::vector<std::size_t> result;
  for (std::size_t l = 0; l < columns_[column].levels.rows(); ++l)
    if (l != own && is_allowed(column, own, l)) result.push_back(l);
  return result;
}

Row ChangeSpace::with_levels(std::span<const double> x, std::span<const double> row) const {
  Row result(x.begin(), x.end());
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!columns_[c].is_number()) copy(c, row, result);
  return result;
}

Row ChangeSpace::constrained(std::span<const double> x, std::span<const double> row) const {
  Row result(x.begin(), x.end());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].is_number()) {
      const std::size_t d = columns_[c].features[0];
      const Range own = range(c, x);
      result[d] = std::clamp(row[d], own.lowest, own.highest);
      continue;
    }
    const std::size_t from = nearest_level(c, x), to = nearest_level(c, row);
    if (from != to && is_allowed(c, from, to)) set_level(c, to, result);
  }
  return result;
}

double ChangeSpace::rounded_number(std::size_t column, double own, double value, const Range& range,
                                   Rounding rounding) const {
  if (!columns_[column].decimals) return value;
  const double unit = power_of_ten(*columns_[column].decimals), scaled = value * unit;
  if (!(std::abs(scaled) < 9e15)) return value;
  double whole = std::round(scaled);
  if (rounding == Rounding::away) whole = value > own ? std::ceil(scaled) : std::floor(scaled);
  if (whole / unit > range.highest) whole = std::floor(range.highest * unit);
  if (whole / unit < range.lowest) whole = std::ceil(range.lowest * unit);
  const double result = whole / unit;
  return result >= range.lowest && result <= range.highest ? result : own;
}

Row ChangeSpace::rounded(std::span<const double> x, std::span<const double> row,
                         Rounding rounding) const {
  Row result(row.begin(), row.end());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t d = columns_[c].features[0];
    if (columns_[c].is_number() && row[d] != x[d])
      result[d] = rounded_number(c, x[d], row[d], range(c, x), rounding);
  }
  return result;
}

double ChangeSpace::last_digit(std::size_t column) const {
  const std::optional<int>& decimals = columns_[column].decimals;
  return columns_[column].is_number() && decimals ? 1.0 / power_of_ten(*decimals) : 0.0;
}

Row ChangeSpace::one_digit_back(std::size_t column, std::span<const double> x,
                                std::span<const double> row) const {
  const std::size_t d = columns_[column].features[0];
  const double digit = last_digit(column);
  Row result(row.begin(), row.end());
  if (std::abs(row[d] - x[d]) <= digit) {
    result[d] = x[d];
  } else {
    const double moved = row[d] > x[d] ? row[d] - digit : row[d] + digit;
    result[d] = rounded_number(column, x[d], moved, range(column, x), Rounding::nearest);
  }
  return result;
}

}  // namespace bisector::detail

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
