// What operating systems do differently with memory.
#pragma once

#include <cstddef>

namespace bisector::platform {

/// A wish: where huge pages are not to be had, everything works as before.
void wish_for_huge_pages(void* memory, std::size_t bytes);

}  // namespace bisector::platform
