// Options of the method and the explanation, shared by the verbs that explain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bisector/explain.h"
#include "cli/options/input.h"

namespace bisector::cli {

/// A method and its options as the command line gives them, with files that are not yet read.
struct RuleArguments {
  /// The command explains the model's own output unless another unit is asked for.
  RuleArguments() { options.unit = Unit::decision; }

  std::string method;  // empty: the library's default
  MethodParameters parameters;
  ExplainOptions options;  // all but the reference and the background
  std::optional<std::size_t> threads;
  std::string reference;  // "", "origin", "mean" or a file
  std::filesystem::path background;
};

/// The last group of options in every help text.
inline constexpr auto kSpeedGroup = "Speed and notes";

/// Options that every method takes.
void add_rule_options(CLI::App& app, RuleArguments& arguments);
/// --method and all parameters in the table of methods but one, for verbs that have their own.
void add_method_options(CLI::App& app, RuleArguments& arguments, std::string_view without = {});
/// The parameters and classes, for verbs with their own methods, seed, unit and background.
void add_parameter_options(CLI::App& app, RuleArguments& arguments);
/// "auto (automatic choice), lrp (...), ..."
std::string method_list();
void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads);
void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads);
void add_chunk_option(CLI::App& app, std::optional<std::size_t>& chunk);
/// The speed options of verbs that read a file in chunks.
void add_machine_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads,
                         std::optional<std::size_t>& chunk);

/// `threads` as the library counts them: 0 for all.
unsigned thread_count(std::optional<std::size_t> threads);

/// Throws UsageError for an unknown method and for a parameter that the method does not have.
Method method_of(const RuleArguments& arguments);

/// Reads the files that the options name.
ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model);

}  // namespace bisector::cli
