// Terminals, standard streams and memory on each operating system.
#pragma once

#include <cstdint>

namespace bisector::tools {

bool is_output_a_terminal();
bool is_error_a_terminal();

/// Reopens closed streams, so that no other file gets their number and receives text for the user.
/// Reading from them gives nothing; writing to them fails.
void reopen_standard_streams();

/// Bytes that programs can still use without swapping, within the limit of a container; the largest
/// number if the system does not tell.
std::uint64_t available_memory();

}  // namespace bisector::tools
