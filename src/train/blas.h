// What the BLAS behind LAPACK made of this processor.
#pragma once

#include <string>
#include <string_view>

namespace bisector::detail {

/// The kernels that OpenBLAS chose, such as "SkylakeX"; empty where BLAS is another.
std::string blas_core();

/// True for OpenBLAS's kernels of x86 processors without AVX2. It falls back to those of a 2004
/// Pentium on a processor that is newer than itself, at a fifth of the speed.
bool is_before_avx2(std::string_view core);

/// False where BLAS runs such kernels on a processor that has AVX2.
bool blas_recognized_processor();

}  // namespace bisector::detail
