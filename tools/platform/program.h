// Runs other programs without a shell.
#pragma once

#include <string>
#include <vector>

namespace bisector::tools {

/// Runs a program from the search path and waits for it. True if its exit status is 0; false also
/// if it does not exist.
bool run_program(std::vector<std::string> words);

}  // namespace bisector::tools
