#include "core/explain/totals.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
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

void scale(Explanation& result, std::size_t r, double factor) {
  for (double& value : result.relevance.row(r)) value *= factor;
  for (std::vector<double>* values : {&result.base, &result.remainder, &result.correction})
    (*values)[r] *= factor;
}

double output_in(Unit unit, const Explained& explained) {
  if (unit == Unit::decision) return explained.decision;
  return explained.output > 0.0 ? 100.0 : explained.output < 0.0 ? -100.0 : 0.0;
}

/// Converts to another unit by scaling the row. Without a finite ratio this is not possible: a tie
/// makes everything 0, and for an infinite output (a class with too few neighbors) the parts are
/// scaled to the size of the wanted output and the rest is the remainder.
void convert(Explanation& result, std::size_t r, double output, double wanted) {
  if (std::isfinite(output) && output != 0.0) return scale(result, r, wanted / output);
  const auto relevance = result.relevance.row(r);
  const double size = std::abs(result.base[r]) + linalg::absolute_sum(relevance);
  const bool is_tie = output == 0.0 || size == 0.0;
  result.remainder[r] = 0.0;
  scale(result, r, is_tie ? 0.0 : std::abs(wanted) / size);
  result.remainder[r] = wanted - result.base[r] - sum(relevance);
}

}  // namespace

void finish_row(Explanation& result, std::size_t r, const Explained& explained, bool is_path) {
  const auto relevance = result.relevance.row(r);
  const double wanted = explained.output - result.base[r];
  if (is_path) result.correction[r] = correct(wanted, relevance);
  result.remainder[r] = wanted - sum(relevance);
  result.output[r] = explained.output;
  if (result.unit == Unit::g) return;
  result.output[r] = output_in(result.unit, explained);
  convert(result, r, explained.output, result.output[r]);
}

}  // namespace bisector::detail
