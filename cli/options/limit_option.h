// --limit: how much a file may ask for.
#pragma once

#include "bisector/limits.h"

namespace CLI {
class App;
}

namespace bisector::cli {

/// Adds --limit NAME=N, which may be given several times, for each of the limits.
void add_limit_option(CLI::App& app, Limits& limits);

}  // namespace bisector::cli
