// The verb evaluate: how faithful are explanations?
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/predict.h"
#include "cli/options/input.h"

namespace bisector::cli {

struct EvaluateArguments {
  InputArguments input;
  std::vector<std::string> methods;    // empty: those of the paper that fit the model
  std::vector<std::string> relevance;  // files
  bool for_predicted = false;          // the files' signs speak for the predicted class
  std::filesystem::path background;    // empty: the data themselves
  std::filesystem::path output, json, curves;
  std::optional<std::size_t> rows, samples, seed, threads;
  std::optional<double> level;
  Precision precision = Precision::float64;
};

void evaluate_command(const EvaluateArguments& arguments, std::ostream& out);

}  // namespace bisector::cli
