// Which method explains, and the options that only some methods have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bisector/methods.h"

namespace CLI {
class App;
}

namespace bisector::cli {

struct MethodArguments {
  std::string name = "lrp";
  std::optional<Explained> on;
  std::optional<std::size_t> steps, sequences, path_steps, seed;
};

void add_method_options(CLI::App& app, MethodArguments& arguments);

/// Throws UsageError for an unknown method and for an option that the method has no use for.
Method method_of(const MethodArguments& arguments);
MethodOptions method_options(const MethodArguments& arguments, ExplainOptions explain);

}  // namespace bisector::cli
