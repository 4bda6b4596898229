#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bisector/chart.h"
#include "draw/palette.h"

namespace bisector {
namespace {

int channel(std::string_view colour, std::size_t index) {
  int value = 0;
  const char* const first = colour.data() + 1 + 2 * index;
  std::from_chars(first, first + 2, value, 16);
  return value;
}

/// Between the colours of a ramp, `place` from 0 to 1.
std::string on_ramp(std::span<const std::string_view> ramp, double place) {
  const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  const double part = at - static_cast<double>(below);
  std::string colour = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double mixed =
        (1.0 - part) * channel(ramp[below], c) + part * channel(ramp[below + 1], c);
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(mixed)));
  }
  return colour;
}

}  // namespace

std::string diverging_colour(double value) {
  return on_ramp(draw::kDiverging, (value + 1.0) / 2.0);
}
std::string sequential_colour(double value) { return on_ramp(draw::kSequential, value); }
std::string line_colour(std::size_t index) {
  return std::string(draw::kLines[index % draw::kLines.size()]);
}
std::string for_colour() { return std::string(draw::kFor); }
std::string against_colour() { return std::string(draw::kAgainst); }

}  // namespace bisector
