// Terminals and standard streams on each operating system.
#pragma once

namespace bisector::tools {

bool is_output_a_terminal();
bool is_error_a_terminal();

}  // namespace bisector::tools
