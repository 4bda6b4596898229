#include "bisector/runtime_info.h"

#include <algorithm>
#include <thread>

#include "core/simd/kernels.h"

namespace bisector {

RuntimeInfo runtime_info() {
  RuntimeInfo info;
  info.instruction_set = simd::name(simd::active_level());
  for (const simd::Level level : simd::supported_levels())
    info.supported.emplace_back(simd::name(level));
  info.threads = std::max(1u, std::thread::hardware_concurrency());
  return info;
}

}  // namespace bisector
