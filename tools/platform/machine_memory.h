// The memory of the machine on each operating system.
#pragma once

#include <cstdint>

namespace bisector::tools {

/// Bytes of memory of the machine; the largest number if it is unknown.
std::uint64_t machine_memory();

}  // namespace bisector::tools
