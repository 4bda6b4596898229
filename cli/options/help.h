// The format of --help and of the short -h: wrapped to the width of a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bisector::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

/// Thrown by -h of a verb with a short help.
struct ShortHelp {
  std::string text;
};

/// Gives a verb a short -h that lists only these options; --help lists all.
void set_short_help(CLI::App& verb, std::vector<std::string> options);

}  // namespace bisector::cli
