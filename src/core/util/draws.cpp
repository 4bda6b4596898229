#include "core/util/draws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "bisector/random.h"

namespace bisector::util {

std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed) {
  std::vector<std::size_t> chosen(rows);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (rows > limit) {
    Random(seed).shuffle(std::span(chosen));
    chosen.resize(limit);
    chosen.shrink_to_fit();
    std::ranges::sort(chosen);
  }
  return chosen;
}

namespace {

constexpr std::size_t kLayers = 256;
/// Where the tail begins when the density exp(-x^2 / 2) is covered by 256 layers of equal area, and
/// that area.
constexpr double kTail = 3.6541528853610088;
constexpr double kArea = 4.92867323399e-3;

double density(double x) { return std::exp(-0.5 * x * x); }

/// Layer l covers 0 ... edge[l] from height[l] up to height[l + 1], where edge[l + 1] <= edge[l].
/// Layer 0 is the base: a box as wide as its area demands, whose part beyond edge[1] represents the
/// tail.
struct Layers {
  std::array<double, kLayers + 1> edge, height;

  Layers() {
    edge[0] = kArea / density(kTail);
    edge[1] = kTail;
    for (std::size_t l = 1; l + 1 < kLayers; ++l)
      edge[l + 1] = std::sqrt(-2.0 * std::log(density(edge[l]) + kArea / edge[l]));
    edge[kLayers] = 0.0;
    for (std::size_t l = 0; l <= kLayers; ++l) height[l] = density(edge[l]);
  }
};

const Layers& layers() {
  static const Layers table;
  return table;
}

/// Beyond kTail, by Marsaglia's rejection from an exponential.
double tail(Random& random) {
  for (;;) {
    const double beyond = -std::log(1.0 - random.uniform()) / kTail;
    const double level = -std::log(1.0 - random.uniform());
    if (2.0 * level > beyond * beyond) return kTail + beyond;
  }
}

double draw(const Layers& table, Random& random) {
  for (;;) {
    const std::uint64_t bits = random.bits();
    const std::size_t layer = bits % kLayers;
    // The layer has the low eight bits and the position the high 53: they share none.
    const double position = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
    const double x = position * table.edge[layer];
    if (std::abs(x) < table.edge[layer + 1]) return x;
    if (layer == 0) return std::copysign(tail(random), position);
    const double low = table.height[layer], high = table.height[layer + 1];
    if (low + random.uniform() * (high - low) < density(x)) return x;
  }
}

}  // namespace

void fill_normal(Random& random, std::span<double> values) {
  const Layers& table = layers();
  for (double& value : values) value = draw(table, random);
}

}  // namespace bisector::util
