// bisector report: one HTML page that explains many rows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/report/report.h"
#include "cli/options/input.h"
#include "cli/options/rule_options.h"

namespace bisector::cli {

struct ReportArguments {
  ReportArguments() { input.keeps_target = true; }

  InputArguments input;
  RuleArguments rule;
  std::filesystem::path against;  // another model for the same rows; empty: none
  std::filesystem::path groups;   // of columns; empty: none
  std::filesystem::path network;  // contributions of a network's inputs; empty: none
  std::filesystem::path output;
  std::string title;               // empty: what the model predicts
  std::string command;             // what the user typed
  std::string layout;              // "28x28" or "series"
  std::vector<std::string> names;  // "LABEL=NAME" or "unit=TEXT"
  bool evaluate = false;
  bool without_model = false;
  bool force = false;  // replace files that were named after the data
  bool interactions = false;
  std::optional<std::size_t> sample, evidence;
};

/// Reads the files that the options name.
ReportOptions report_options(const ReportArguments& arguments, const Model& model,
                             const ExplainSettings& settings, const RowSource& rows,
                             const std::optional<TrainingRecord>& training);

void report_command(const ReportArguments& arguments, std::ostream& out);

}  // namespace bisector::cli
