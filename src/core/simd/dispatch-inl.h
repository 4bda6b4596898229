// The choice of a level, included once at the end of kernels.cpp, where every level's tables are in
// sight and Highway's macros say which were compiled.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "bisector/error.h"

namespace bisector::simd {
namespace {

struct Target {
  Level level;
  std::int64_t highway_bit;
  const Kernels<double>* of_double;
  const Kernels<float>* of_float;
};

// Slowest first. The scalar level is what Highway compiles for a baseline without vector registers
// that it knows: one lane, or its emulation of 128 bits where the compiler can be trusted with it.
constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_SCALAR
    {Level::scalar, HWY_SCALAR, &N_SCALAR::double_kernels, &N_SCALAR::float_kernels},
#endif
#if HWY_TARGETS & HWY_EMU128
    {Level::scalar, HWY_EMU128, &N_EMU128::double_kernels, &N_EMU128::float_kernels},
#endif
#if HWY_TARGETS & HWY_SSE4
    {Level::sse4, HWY_SSE4, &N_SSE4::double_kernels, &N_SSE4::float_kernels},
#endif
#if HWY_TARGETS & HWY_AVX2
    {Level::avx2, HWY_AVX2, &N_AVX2::double_kernels, &N_AVX2::float_kernels},
#endif
#if HWY_TARGETS & HWY_AVX3
    {Level::avx512, HWY_AVX3, &N_AVX3::double_kernels, &N_AVX3::float_kernels},
#endif
#if HWY_TARGETS & HWY_NEON
    {Level::neon, HWY_NEON, &N_NEON::double_kernels, &N_NEON::float_kernels},
#endif
};

constexpr std::int64_t table_bits() {
  std::int64_t bits = 0;
  for (const Target& target : kTargets) bits |= target.highway_bit;
  return bits;
}
// Highway compiles what the compiler's flags name as the baseline, and calls only what it compiled.
static_assert((HWY_TARGETS & ~table_bits()) == 0,
              "Highway compiles a target without an entry in kTargets: add it there, or disable it "
              "in HWY_DISABLED_TARGETS of kernels.cpp");

bool is_supported(const Target& target) {
  return (hwy::SupportedTargets() & target.highway_bit) != 0;
}

std::string supported_names() {
  std::string names;
  for (const Level level : supported_levels())
    names += (names.empty() ? "" : ", ") + std::string(name(level));
  return names;
}

const Target* initial_target() {
  const Target* best = &kTargets[0];
  for (const Target& target : kTargets) {
    if (is_supported(target)) best = &target;
  }
  const char* wish = std::getenv("BISECTOR_ISA");
  if (wish == nullptr || *wish == '\0') return best;
  for (const Target& target : kTargets) {
    if (name(target.level) == wish && is_supported(target)) return &target;
  }
  throw InvalidInput(
      fmt::format("BISECTOR_ISA is \"{}\", expected one of {}", wish, supported_names()));
}

std::atomic<const Target*>& active() {
  static std::atomic<const Target*> target{initial_target()};
  return target;
}

}  // namespace

std::vector<Level> supported_levels() {
  std::vector<Level> levels;
  for (const Target& target : kTargets) {
    if (is_supported(target)) levels.push_back(target.level);
  }
  return levels;
}

std::string_view name(Level level) {
  static constexpr std::array<std::string_view, 5> names = {"scalar", "sse4", "avx2", "avx512",
                                                            "neon"};
  return names[static_cast<std::size_t>(level)];
}

Level active_level() { return active().load()->level; }

void force_level(Level level) {
  for (const Target& target : kTargets) {
    if (target.level == level && is_supported(target)) {
      active().store(&target);
      return;
    }
  }
  throw InvalidInput(fmt::format("this machine cannot run the {} kernels, expected one of {}",
                                 name(level), supported_names()));
}

template <>
const Kernels<double>& kernels<double>() {
  return *active().load()->of_double;
}

template <>
const Kernels<float>& kernels<float>() {
  return *active().load()->of_float;
}

}  // namespace bisector::simd
