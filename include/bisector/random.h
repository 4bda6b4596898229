// Seeded random draws that are the same on every machine. The C++ standard specifies the numbers of
// the engine, but not those of its distributions, so the distributions are here.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <utility>

namespace bisector {

/// A seed for item `index` of a family of draws that share `seed` (the finalizer of SplitMix64):
/// the draws of an item do not depend on other items.
inline std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t index) {
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15u) + (index + 1) * 0x9e3779b97f4a7c15u);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 64 random bits.
  std::uint64_t bits() { return engine_(); }

  /// Uniform in [0, 1), from 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Uniform in 0 ... n-1, without bias; n > 0.
  std::size_t below(std::size_t n) {
    const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % n);
    std::uint64_t draw = engine_();
    while (draw >= limit) draw = engine_();
    return static_cast<std::size_t>(draw % n);
  }

  /// Standard normal, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// A uniformly random order, by Fisher and Yates.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bisector
