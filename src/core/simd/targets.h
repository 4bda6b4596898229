// The instruction sets that vector code is compiled for: one per register width, because others of
// Highway's would only multiply the code. Included before hwy/foreach_target.h.
#pragma once

#include <hwy/base.h>

#if defined(HWY_MAJOR)  // newer versions of Highway define it here, and know more targets
#define HWY_DISABLED_TARGETS                                                                  \
  (HWY_SSE2 | HWY_SSSE3 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_NEON_WITHOUT_AES | \
   HWY_NEON_BF16 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
