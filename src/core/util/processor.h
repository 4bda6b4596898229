// What the processor can do, where the operating system has to be asked.
#pragma once

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace bisector::util {

/// True if NEON has dot products of bytes (since ARMv8.2).
inline bool has_neon_dot_products() {
#if defined(__aarch64__) && defined(__linux__)
  constexpr unsigned long kDotProducts = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & kDotProducts) != 0;
#elif defined(__aarch64__) && defined(__APPLE__)
  return true;  // every processor that macOS runs on
#else
  return false;
#endif
}

}  // namespace bisector::util
