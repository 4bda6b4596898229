// Input and output files of a command line: no output may overwrite an input.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace bisector::cli {

enum class FileRole {
  none,
  input,
  output,
  replacement  // an output that may be the model it was made from
};

/// Sets the role of an option; add_path() and add_output() call it.
CLI::Option* set_role(CLI::Option* option, FileRole role);
FileRole role_of(const CLI::Option& option);

/// Throws UsageError if an output of the verb or of its subcommands is the same file as an input or
/// another output, under any name.
void require_inputs_survive(const CLI::App& verb);

}  // namespace bisector::cli
