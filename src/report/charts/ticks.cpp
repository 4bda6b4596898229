#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/report/chart.h"

namespace bisector::chart {

std::vector<Tick> round_ticks(double low, double high, std::size_t count) {
  if (!(high > low)) return {{low, fmt::format("{:.4g}", low)}};
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(count, 1));
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<Tick> ticks;
  // Integer multiples of the step: zero is exact.
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n += 1.0)
    ticks.push_back({n * step, fmt::format("{:.6g}", n * step + 0.0)});
  return ticks;
}

}  // namespace bisector::chart
