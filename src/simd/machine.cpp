#include "bisector/machine.h"

#include <algorithm>
#include <thread>

#include "simd/kernels.h"

namespace bisector {

Machine machine() {
  Machine result;
  result.instruction_set = simd::name(simd::active_level());
  for (const simd::Level level : simd::supported_levels())
    result.supported.emplace_back(simd::name(level));
  result.threads = std::max(1u, std::thread::hardware_concurrency());
  return result;
}

}  // namespace bisector
