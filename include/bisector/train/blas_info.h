// The BLAS that kernel ridge regression factors with.
#pragma once

#include <string>

#include "bisector/export.h"

namespace bisector {

struct BlasInfo {
  std::string core;  // OpenBLAS's kernels, e.g. "SkylakeX"; empty: another BLAS, or none
  /// False where OpenBLAS is older than the processor and runs kernels without AVX2. Kernel ridge
  /// then factors with the library's own kernels.
  bool recognized_processor = true;
  /// False in a build without LAPACK, in which kernel ridge factors with the library's own kernels.
  bool is_there = true;
};

BISECTOR_EXPORT BlasInfo blas_info();

}  // namespace bisector
