// Which files of a command line are read and which are written: no output may be an input.
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

/// Says what an option's values are; add_path() and add_output() do.
CLI::Option* set_role(CLI::Option* option, FileRole role);

/// Throws UsageError where an output of the verb, or of one below it, is the same file as one of
/// its inputs or another output, under whatever name: the input would be lost.
void require_inputs_survive(const CLI::App& verb);

}  // namespace bisector::cli
