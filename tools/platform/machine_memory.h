// What operating systems do differently with memory.
#pragma once

#include <cstdint>

namespace bisector::tools {

/// Bytes of the machine's memory; as many as can be counted where nobody knows.
std::uint64_t machine_memory();

}  // namespace bisector::tools
