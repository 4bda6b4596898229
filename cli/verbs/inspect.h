// bisector inspect: a model, the settings of its explanations, and its network at one row.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"
#include "cli/options/input.h"
#include "cli/options/rule_options.h"

namespace bisector::cli {

struct InspectArguments {
  InputArguments input;  // data: the file with the row whose network is shown, or empty
  RuleArguments rule;
  std::filesystem::path table;  // instead of a model: a data file to describe
  bool json = false;
  bool machine = false;
  std::optional<std::size_t> row, evidence;
};

/// A model's network at one row.
struct NetworkAtRow {
  std::string source;
  std::size_t row;  // counted from one
  Explanation explanation;
  Network network;
  std::vector<Evidence> evidence;
};

/// Everything that inspect shows, and which settings were given.
struct Inspection {
  std::string source;
  Model model;
  ExplainSettings settings;
  MethodParameters given;  // parameters of the method that the user gave
  bool level_given, reference_given, has_background;
  std::vector<std::string> features;  // empty if they have no names
  std::optional<NetworkAtRow> network;
  bool has_probabilities = false;  // class probabilities in a LIBSVM file
};

/// Aligned lines for people.
std::string inspection_text(const Inspection& inspection);
/// Everything, with all units of the network, for programs.
std::string inspection_json(const Inspection& inspection);

}  // namespace bisector::cli
