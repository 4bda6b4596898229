// Functions for memory that differ between operating systems.
#pragma once

#include <cstddef>

namespace bisector::util {

/// A wish: where huge pages are not to be had, everything works as before.
void advise_huge_pages(void* memory, std::size_t bytes);

}  // namespace bisector::util
