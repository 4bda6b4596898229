// The choice of a table of code kernels, included once at the end of code_kernels.cpp, where every
// level's tables are in sight.
#include <algorithm>

#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
#include <cpuid.h>
#endif

#include "core/util/processor.h"

namespace bisector::simd {
namespace {

/// What the processor says it has beside the levels of Highway.
struct DotProducts {
  bool avx_vnni = false, avx512_vnni = false;

  DotProducts() {
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) avx512_vnni = ((c >> 11) & 1) != 0;
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) avx_vnni = ((a >> 4) & 1) != 0;
#endif
  }
};

struct CodeTable {
  Level level;
  bool is_available;
  const CodeKernels* kernels;
};

/// Slowest first.
const std::vector<CodeTable>& code_tables() {
  static const std::vector<CodeTable> tables = [] {
    [[maybe_unused]] const DotProducts has;
    return std::vector<CodeTable> {
#if HWY_TARGETS & HWY_SCALAR
      {Level::scalar, true, &N_SCALAR::plain_codes},
#endif
#if HWY_TARGETS & HWY_EMU128
          {Level::scalar, true, &N_EMU128::plain_codes},
#endif
#if HWY_TARGETS & HWY_SSE4
          {Level::sse4, true, &N_SSE4::plain_codes},
#endif
#if HWY_TARGETS & HWY_AVX2
          {Level::avx2, true, &N_AVX2::plain_codes},
          {Level::avx2, has.avx_vnni, &N_AVX2::dot_codes},
#endif
#if HWY_TARGETS & HWY_AVX3
          {Level::avx512, true, &N_AVX3::plain_codes},
          {Level::avx512, has.avx512_vnni, &N_AVX3::dot_codes},
#endif
#if HWY_TARGETS & HWY_NEON
          {Level::neon, true, &N_NEON::plain_codes},
          {Level::neon, util::has_neon_dot_products(), &N_NEON::dot_codes},
#endif
    };
  }();
  return tables;
}

}  // namespace

std::vector<const CodeKernels*> supported_code_kernels() {
  const std::vector<Level> levels = supported_levels();
  std::vector<const CodeKernels*> found;
  for (const CodeTable& table : code_tables()) {
    if (table.is_available && std::ranges::count(levels, table.level) > 0)
      found.push_back(table.kernels);
  }
  return found;
}

const CodeKernels& code_kernels() {
  const Level level = active_level();
  const CodeKernels* best = nullptr;
  for (const CodeTable& table : code_tables()) {
    if (table.is_available && table.level == level) best = table.kernels;
  }
  return *best;
}

}  // namespace bisector::simd
