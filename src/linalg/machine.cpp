#include "bisector/machine.h"

#include <algorithm>
#include <thread>

#include "linalg/blas.h"
#include "simd/kernels.h"

namespace bisector {

Machine machine() {
  Machine result;
  result.instruction_set = simd::name(simd::active_level());
  for (const simd::Level level : simd::supported_levels())
    result.supported.emplace_back(simd::name(level));
  result.threads = std::max(1u, std::thread::hardware_concurrency());
  result.blas_core = linalg::blas_core();
  result.blas_recognised_processor = linalg::blas_recognised_processor();
  return result;
}

}  // namespace bisector
