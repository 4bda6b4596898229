// Terminals and standard streams on each operating system.
#pragma once

namespace bisector::tools {

bool is_output_a_terminal();
bool is_error_a_terminal();

/// Reopens closed streams, so that no other file gets their number and receives text for the user.
/// Reading from them gives nothing; writing to them fails.
void reopen_standard_streams();

}  // namespace bisector::tools
