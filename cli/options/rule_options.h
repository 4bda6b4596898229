// The options of the method and of the explanation itself, shared by the verbs that explain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bisector/explain.h"
#include "cli/options/input.h"

namespace bisector::cli {

/// A method and its options as a command line has them: files still to be read.
struct RuleArguments {
  std::string method;  // "": as the library takes no name
  MethodParameters parameters;
  ExplainOptions options;  // all but the reference and the background
  std::optional<std::size_t> threads;
  std::string reference;  // "", "origin", "mean" or a file
  std::filesystem::path background;
};

/// The parameters that the rules share, and what every method takes.
void add_rule_options(CLI::App& app, RuleArguments& arguments);
/// The parameters that the path rules alone have.
void add_path_options(CLI::App& app, RuleArguments& arguments);
/// Which method, and the parameters that only some have.
void add_method_options(CLI::App& app, RuleArguments& arguments);
/// All parameters, for verbs that take methods, seed and background in their own way.
void add_parameter_options(CLI::App& app, RuleArguments& arguments);
void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads);
void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads);
void add_chunk_option(CLI::App& app, std::optional<std::size_t>& chunk);
/// The speed options, for verbs that go through a file in chunks.
void add_machine_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads,
                         std::optional<std::size_t>& chunk);

/// `threads` as the library has them: zero for all.
unsigned thread_count(std::optional<std::size_t> threads);

/// Throws UsageError for an unknown method and for a parameter that the method does not have.
Method method_of(const RuleArguments& arguments);

/// Reads the files that the options name.
ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model);

}  // namespace bisector::cli
