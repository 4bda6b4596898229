// The BLAS of LAPACK and its support for the processor.
#pragma once

#include <string>
#include <string_view>

namespace bisector::detail {

/// The kernels that OpenBLAS chose, such as "SkylakeX"; empty for another BLAS.
std::string blas_core();

/// True for OpenBLAS's kernels of x86 processors without AVX2. On a processor that it does not know
/// OpenBLAS falls back to the kernels of a 2004 Pentium, at a fifth of the speed.
bool is_before_avx2(std::string_view core);

/// False if BLAS runs such kernels on a processor with AVX2.
bool blas_recognized_processor();

}  // namespace bisector::detail
