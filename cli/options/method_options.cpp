#include "cli/options/method_options.h"

#include <fmt/format.h>

#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

void require_use(bool given, const char* option, bool used, const char* methods) {
  if (given && !used)
    throw UsageError(fmt::format("{} was given, expected --method {} with it", option, methods));
}

}  // namespace

void add_method_options(CLI::App& app, MethodArguments& arguments) {
  constexpr auto kGroup = "The method";
  add_text(
      app, "--method", arguments.name, "NAME",
      "lrp (default), lrp-path, gi (gradient x input), ig (integrated gradients), sensitivity, "
      "occlusion, shapley (sampled) or shapley-exact")
      ->group(kGroup);
  add_choice<std::optional<Explained>>(
      app, "--on", arguments.on,
      {{"f", Explained::f}, {"g", Explained::g}, {"votes", Explained::votes}},
      "What gi, ig, sensitivity, occlusion and shapley explain: the model's own f "
      "(for neighbours the outcome, default), the network's g, or the neighbours' "
      "votes")
      ->group(kGroup);
  add_count(app, "--steps", arguments.steps, 1, "N", "ig: steps of the path (default: 10)")
      ->group(kGroup);
  add_count(app, "--sequences", arguments.sequences, 1, "N",
            "shapley: random removal sequences (default: 10)")
      ->group(kGroup);
  add_count(app, "--path-steps", arguments.path_steps, 1, "N",
            "lrp-path: gradients on the way to the reference (default: 5)")
      ->group(kGroup);
  add_count(app, "--seed", arguments.seed, 0, "N", "shapley: seed of the sequences (default: 0)")
      ->group(kGroup);
}

Method method_of(const MethodArguments& arguments) {
  Method method{};
  try {
    method = method_from_name(arguments.name);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  require_use(arguments.on.has_value(), "--on", method != Method::lrp && method != Method::lrp_path,
              "gi, ig, sensitivity, occlusion or shapley");
  const bool sampled = method == Method::shapley_sampling;
  require_use(arguments.steps.has_value(), "--steps", method == Method::integrated_gradients, "ig");
  require_use(arguments.sequences.has_value(), "--sequences", sampled, "shapley");
  require_use(arguments.seed.has_value(), "--seed", sampled, "shapley");
  require_use(arguments.path_steps.has_value(), "--path-steps", method == Method::lrp_path,
              "lrp-path");
  return method;
}

MethodOptions method_options(const MethodArguments& arguments, ExplainOptions explain) {
  MethodOptions options;
  options.explain = std::move(explain);
  options.on = arguments.on.value_or(options.on);
  options.steps = arguments.steps.value_or(options.steps);
  options.sequences = arguments.sequences.value_or(options.sequences);
  options.path_steps = arguments.path_steps.value_or(options.path_steps);
  options.seed = arguments.seed.value_or(options.seed);
  return options;
}

}  // namespace bisector::cli
