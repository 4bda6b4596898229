#include "bisector/runtime_info.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/simd/kernels.h"

namespace bisector {
namespace {

TEST(RuntimeInfo, NamesTheLevelInUseAmongThoseSupported) {
  const simd::Level before = simd::active_level();
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    const RuntimeInfo result = runtime_info();
    EXPECT_EQ(result.instruction_set, simd::name(level));
    EXPECT_NE(std::ranges::find(result.supported, result.instruction_set), result.supported.end());
    EXPECT_GE(result.threads, 1u);
  }
  simd::force_level(before);
}

}  // namespace
}  // namespace bisector
