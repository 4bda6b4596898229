// Reopens standard streams that the parent process closed.
#pragma once

namespace bisector::tools {

/// Reopens closed streams, so that no other file gets their number and receives text for the user.
/// Reading from them gives nothing; writing to them fails.
void reopen_standard_streams();

}  // namespace bisector::tools
