// Hints to the operating system and the processor about memory.
#pragma once

#include <cstddef>

namespace bisector::util {

/// Asks for huge pages. It is a hint: without them everything works, only slower.
void advise_huge_pages(void* memory, std::size_t bytes);

/// Asks the processor to load memory that is read soon. It is a hint, too.
inline void prefetch([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__) || defined(__clang__)
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < bytes; at += kLine)
    __builtin_prefetch(static_cast<const char*>(memory) + at, 0, 2);
#endif
}

}  // namespace bisector::util
