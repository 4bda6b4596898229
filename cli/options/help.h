// The look of --help: wrapped to the width of a terminal, values as short words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

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

}  // namespace bisector::cli
