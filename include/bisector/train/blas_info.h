// The BLAS that kernel ridge regression factors with.
#pragma once

#include <string>

#include "bisector/export.h"

namespace bisector {

struct BlasInfo {
  std::string core;  // the kernels of OpenBLAS, such as "SkylakeX"; empty for another BLAS
  /// False if OpenBLAS is older than the processor and runs kernels without AVX2. Kernel ridge then
  /// uses the library's own kernels.
  bool recognized_processor = true;
  /// False in a build without LAPACK, where kernel ridge uses the library's own kernels.
  bool is_there = true;
};

BISECTOR_EXPORT BlasInfo blas_info();

}  // namespace bisector
