// --limit: safety limits for files.
#pragma once

#include <string>
#include <vector>

#include "bisector/limits.h"

namespace CLI {
class App;
}

namespace bisector::cli {

/// Adds --limit NAME=N, which may be given several times, for each of the limits.
void add_limit_option(CLI::App& app, Limits& limits);

/// `evaluate --limit` without NAME=N asks for the reachable order (the limit of all methods): there
/// it becomes --reachable, which the parser can tell from the option with a value.
std::vector<std::string> resolve_bare_limits(std::vector<std::string> arguments);

}  // namespace bisector::cli
