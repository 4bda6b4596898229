#include "bisector/machine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/blas.h"
#include "simd/kernels.h"

namespace bisector {
namespace {

TEST(Machine, NamesTheLevelInUseAmongThoseSupported) {
  const simd::Level before = simd::active_level();
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    const Machine result = machine();
    EXPECT_EQ(result.instruction_set, simd::name(level));
    EXPECT_NE(std::ranges::find(result.supported, result.instruction_set), result.supported.end());
    EXPECT_GE(result.threads, 1u);
    EXPECT_EQ(result.blas_recognised_processor, linalg::blas_recognised_processor());
  }
  simd::force_level(before);
}

}  // namespace
}  // namespace bisector
