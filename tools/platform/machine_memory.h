// The memory of the machine.
#pragma once

#include <cstdint>

namespace bisector::tools {

/// Bytes that programs can still use without swapping, within the limit of a container; the largest
/// number if the system does not tell.
std::uint64_t available_memory();

}  // namespace bisector::tools
