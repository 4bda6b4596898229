// The text of --help, and what is read from the parser for it: the names and values of options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bisector::cli {

/// The description, arguments, options and examples of a verb, or of the command, in lines of 80
/// columns.
std::string help_text(const CLI::App& app);

/// Lists these options before all others in the help of the verb.
void list_first(CLI::App& verb, const std::vector<std::string>& options);

/// "bisector explain MODEL DATA [options]".
std::string usage_of(const CLI::App& app);
/// "-o" and "--output"; for a positional argument its name, such as "MODEL".
std::vector<std::string> names_of(const CLI::Option& option);
/// "-o,--output FILE", or the name alone.
std::string with_value(const CLI::Option& option, const std::string& name);

}  // namespace bisector::cli
