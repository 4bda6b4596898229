#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/evaluate/flipping_curve.h"

namespace bisector {

PairedDifference paired_difference(std::span<const double> aufc, std::span<const double> other) {
  if (aufc.size() != other.size() || aufc.empty())
    throw InvalidInput(fmt::format("{} and {} rows, expected the same rows, at least one",
                                   aufc.size(), other.size()));
  std::vector<double> differences(aufc.size());
  std::ranges::transform(aufc, other, differences.begin(), std::minus());
  const detail::MeanOfRows mean = detail::mean_of_rows(differences);
  return {mean.mean, mean.standard_error};
}

Comparison compare_to_best(std::span<const PixelFlippingResult> results) {
  Comparison comparison;
  const auto best = std::ranges::min_element(results, {}, &PixelFlippingResult::mean);
  comparison.best = static_cast<std::size_t>(best - results.begin());
  for (const PixelFlippingResult& result : results)
    comparison.to_best.push_back(paired_difference(result.aufc, best->aufc));
  return comparison;
}

}  // namespace bisector
