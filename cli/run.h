// A command as a function, so that tests can run it with their own streams.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/verb.h"

namespace bisector::cli {

/// What a command shows in its help, and its verbs in that order.
struct Program {
  std::string name, description, footer;
  std::span<const AddVerb> verbs;
};

/// Runs `program` with `arguments` (without the program's name) and returns the exit status: 0, 1
/// after an error, 2 after a usage error; `err` then has one line.
int run(const Program& program, std::vector<std::string> arguments, std::ostream& out,
        std::ostream& err);

/// Runs `bisector`.
int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace bisector::cli
