#include "core/explain/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Within the range of numbers; NaN becomes 0.
double bounded(double value) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return std::isnan(value) ? 0.0 : std::clamp(value, -kMost, kMost);
}

/// Distributes what a path rule misses of `wanted` over the features in proportion to their
/// relevance: positive ones are multiplied by 1 + c, negative ones by 1 - c, which keeps signs and
/// order. Returns the amount: at most nine tenths of the relevance, so that no feature becomes 0.
double correct(double wanted, std::span<double> relevance) {
  constexpr double kMost = 0.9;
  const double size = linalg::absolute_sum(relevance);
  const double missing = wanted - sum(relevance);
  if (!std::isfinite(missing) || size == 0.0) return 0.0;
  const double part = std::clamp(missing / size, -kMost, kMost);
  for (double& value : relevance) value += part * std::abs(value);
  return part * size;
}

/// Multiplies standard errors by the factor of their feature's sign.
void scale_errors(Explanation& result, std::size_t r, const Converted& factors) {
  if (result.standard_error.rows() == 0) return;
  for (std::size_t d = 0; d < result.relevance.cols(); ++d) {
    const bool is_negative = result.relevance(r, d) < 0.0;
    double& error = result.standard_error(r, d);
    error = bounded(error * (is_negative ? factors.negative : factors.positive));
  }
}

void to_decision(Explanation& result, std::size_t r, const RowTotals& totals) {
  const auto relevance = result.relevance.row(r);
  result.output[r] = bounded(totals.output);
  if (totals.accounting.conversion == Conversion::none) {
    result.base[r] = bounded(result.base[r] + totals.base);
    result.remainder[r] = bounded(result.output[r] - result.base[r] - sum(relevance));
    return;
  }
  result.base[r] = bounded(totals.base);
  UnconvertedRow row = totals.row;
  row.difference = bounded(result.output[r] - result.base[r]);
  const Converted converted = convert(row, totals.accounting.conversion, relevance);
  scale_errors(result, r, converted);
  result.remainder[r] = bounded(converted.remainder);
  result.stretch[r] = converted.stretch;
}

/// Percent of the absolute values and the remainder together. The base value is 0, so that the
/// output is the difference from the base value, from -100 to 100.
void to_share(Explanation& result, std::size_t r) {
  const auto relevance = result.relevance.row(r);
  double& remainder = result.remainder[r];
  const double largest = std::max(std::abs(remainder), largest_magnitude(relevance));
  result.base[r] = result.output[r] = 0.0;
  if (largest == 0.0) return;
  // Divided by the largest first: a sum could overflow.
  double size = std::abs(remainder / largest);
  for (const double value : relevance) size += std::abs(value / largest);
  const auto share = [&](double value) { return 100.0 * (value / largest / size); };
  for (double& value : relevance) value = share(value);
  remainder = share(remainder);
  result.limit[r] = bounded(share(result.limit[r]));
  result.output[r] = sum(relevance) + remainder;
  if (result.standard_error.rows() == 0) return;
  for (double& error : result.standard_error.row(r)) error = bounded(share(error));
}

}  // namespace

void finish_row(Explanation& result, std::size_t r, const RowTotals& totals) {
  const auto relevance = result.relevance.row(r);
  const double wanted = totals.explained - result.base[r];
  if (totals.accounting.is_corrected) result.correction[r] = correct(wanted, relevance);
  if (result.unit == Unit::g) {
    result.output[r] = totals.explained;
    result.remainder[r] = wanted - sum(relevance);
    return;
  }
  to_decision(result, r, totals);
  result.limit[r] = totals.limit;
  result.alike[r] = totals.is_alike;
  if (result.unit == Unit::share) to_share(result, r);
}

}  // namespace bisector::detail
