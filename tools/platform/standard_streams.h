// Standard input, output and error, where whoever started us closed them.
#pragma once

namespace bisector::tools {

/// Opens the closed ones again, so that no file of ours gets their number and what is meant for the
/// user does not end up in it. Reading from them gives nothing, and writing to them fails.
void reopen_standard_streams();

}  // namespace bisector::tools
