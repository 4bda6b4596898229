#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bisector/report/chart.h"
#include "report/charts/palette.h"

namespace bisector::chart {
namespace {

int channel(std::string_view color, std::size_t index) {
  int value = 0;
  const char* const first = color.data() + 1 + 2 * index;
  std::from_chars(first, first + 2, value, 16);
  return value;
}

/// Interpolates a ramp of colors; `place` is from 0 to 1.
std::string on_ramp(std::span<const std::string_view> ramp, double place) {
  const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  const double part = at - static_cast<double>(below);
  std::string color = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double mixed =
        (1.0 - part) * channel(ramp[below], c) + part * channel(ramp[below + 1], c);
    color += fmt::format("{:02x}", static_cast<int>(std::lround(mixed)));
  }
  return color;
}

}  // namespace

std::string diverging_color(double value) { return on_ramp(kDiverging, (value + 1.0) / 2.0); }
std::string sequential_color(double value) { return on_ramp(kSequential, value); }
std::string line_color(std::size_t index) { return std::string(kLines[index % kLines.size()]); }
std::string for_color() { return std::string(kFor); }
std::string against_color() { return std::string(kAgainst); }

}  // namespace bisector::chart
