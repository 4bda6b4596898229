#include "core/util/memory.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace bisector::util {

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace bisector::util
