// bisector evaluate: how faithful are explanations?
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "cli/options/input.h"
#include "cli/options/rule_options.h"

namespace bisector::cli {

struct EvaluateArguments {
  InputArguments input;
  RuleArguments rule;                  // parameters are set in the methods that have them
  std::vector<std::string> methods;    // empty: all that are defined for the model
  std::vector<std::string> relevance;  // files
  bool for_predicted = false;          // positive values in files push toward the predicted class
  std::filesystem::path background;    // donor rows; empty: the data
  std::optional<Donors> donors;
  std::optional<Imputer> imputer;
  bool reachable = false;
  std::filesystem::path output, json, curves;
  std::optional<std::size_t> rows, samples, seed;
};

}  // namespace bisector::cli
