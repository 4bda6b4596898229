#include "train/blas.h"

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

#include <algorithm>
#include <iterator>

#include "bisector/train/blas_info.h"
#include "core/simd/kernels.h"
#include "core/util/ascii.h"
#include "train/dense.h"

namespace bisector::detail {

std::string blas_core() {
#if __has_include(<dlfcn.h>)
  // Looked up by name at run time: any BLAS may stand behind LAPACK's.
  const auto core =
      reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (core != nullptr) return core();
#endif
  return "";
}

bool is_before_avx2(std::string_view core) {
  static constexpr std::string_view kOld[] = {
      "generic",  "katmai",    "coppermine", "northwood",    "banias",
      "prescott", "core2",     "penryn",     "dunnington",   "nehalem",
      "atom",     "athlon",    "opteron",    "opteron_sse3", "barcelona",
      "bobcat",   "bulldozer", "piledriver", "sandybridge"};
  return std::ranges::find(kOld, util::lower_case(core)) != std::end(kOld);
}

bool blas_recognized_processor() {
  const auto levels = simd::supported_levels();
  return std::ranges::find(levels, simd::Level::avx2) == levels.end() ||
         !is_before_avx2(blas_core());
}

}  // namespace bisector::detail

namespace bisector {

BlasInfo blas_info() {
  return {detail::blas_core(), detail::blas_recognized_processor(), detail::has_lapack()};
}

}  // namespace bisector
