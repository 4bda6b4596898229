// Options of the method and the explanation, shared by the verbs that explain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/explain.h"
#include "bisector/method_table.h"
#include "cli/options/input.h"
#include "cli/options/option_values.h"

namespace bisector::cli {

/// A method and its options as the command line gives them, with files that are not yet read.
struct RuleArguments {
  /// The command explains the model's own output unless another unit is asked for.
  RuleArguments() { options.unit = Unit::decision; }

  NameWithParameters method;  // without a name: the library's default
  ExplainOptions options;     // all but the classes, the level, the reference and the background
  std::optional<std::string> positive_class, versus;  // class; versus: or the level of a regressor
  bool for_predicted = false;  // --class predicted: the class is that of each row
  std::optional<std::size_t> threads;
  std::string reference;  // "", "origin", "mean" or a file
  std::filesystem::path background;
};

/// The last group of options in every help text.
inline constexpr auto kSpeedGroup = "Speed and notes";

/// The options of an explanation: the method, the classes, the unit and the background. `predicted`
/// says what --class predicted does; verbs that do not have it leave it empty.
void add_rule_options(CLI::App& app, RuleArguments& arguments, const std::string& predicted = {});
/// Those of them that do not depend on the method: --class, --versus and --reference.
void add_class_options(CLI::App& app, RuleArguments& arguments, const std::string& predicted = {});
/// --versus of verbs without classes.
void add_level_option(CLI::App& app, RuleArguments& arguments);
void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads);
void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads);

/// `threads` as the library counts them: 0 for all.
unsigned thread_count(std::optional<std::size_t> threads);

std::vector<std::string_view> method_names();
/// The method of "lrp:eta=0.5,kappa=2". Throws UsageError for an unknown method and for a parameter
/// that the method does not have.
Method method_of(const NameWithParameters& method);
MethodParameters parameters_of(const NameWithParameters& method);

/// Reads the files that the options name.
ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model);

}  // namespace bisector::cli
