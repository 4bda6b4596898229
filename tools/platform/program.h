// Other programs, run without a shell.
#pragma once

#include <string>
#include <vector>

namespace bisector::tools {

/// Runs the program, found on the search path, and waits for it. True where it ended with status 0;
/// false also where there is none.
bool run_program(std::vector<std::string> words);

}  // namespace bisector::tools
