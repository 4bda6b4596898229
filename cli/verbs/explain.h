// bisector explain: the relevance of every feature for every row.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>

#include "cli/options/input.h"
#include "cli/options/rule_options.h"
#include "cli/writers/explanation_writer.h"

namespace bisector::cli {

struct ExplainArguments {
  InputArguments input;
  RuleArguments rule;
  std::filesystem::path output;  // empty: standard output
  std::optional<TableFormat> format;
  bool details = false;
  bool for_predicted = false;
  bool per_level = false;  // one-hot levels apart, not summed onto their column
  std::optional<std::size_t> top, evidence, chunk;
};

void explain_command(const ExplainArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
