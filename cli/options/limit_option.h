// --limit: safety limits for files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bisector/limits.h"

namespace CLI {
class App;
}

namespace bisector::cli {

/// A limit of one verb, beside those of files.
struct OwnLimit {
  std::string name;
  std::function<void(std::uint64_t)> set;
};

/// Adds --limit NAME=N, which may be given several times, for each of the limits.
void add_limit_option(CLI::App& app, Limits& limits, std::vector<OwnLimit> own = {});

}  // namespace bisector::cli
