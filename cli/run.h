// The command as a function, so that tests can run it with streams of their own.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace bisector::cli {

/// Runs the command line `arguments` (without the program's name) and returns its exit status: 0,
/// 1 after an error, 2 after a usage error; `err` then has one line.
int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace bisector::cli
