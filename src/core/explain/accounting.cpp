#include "core/explain/accounting.h"

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

/// Spreads what a path rule misses of `wanted` over the features in proportion to their relevance:
/// positive ones times 1 + c, negative ones times 1 - c, which keeps sign and order. Returns how
/// much it spread: never more than nine tenths of the relevance, so that no feature loses its part.
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

/// Into another unit. An output without a ratio to it leaves what it leaves: a tie all, an infinite
/// one (neighbors that are too few) what its parts miss, made as large as the output is in the
/// unit.
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

void account(Explanation& result, std::size_t r, const Explained& explained, bool is_path,
             Unit unit) {
  const auto relevance = result.relevance.row(r);
  const double wanted = explained.output - result.base[r];
  if (is_path) result.correction[r] = correct(wanted, relevance);
  result.remainder[r] = wanted - sum(relevance);
  if (unit != Unit::g) convert(result, r, explained.output, output_in(unit, explained));
}

}  // namespace bisector::detail
