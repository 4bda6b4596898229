// bisector score: how good a model is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/predict.h"
#include "cli/options/input.h"

namespace bisector::cli {

struct ScoreArguments {
  InputArguments input;
  std::filesystem::path output;  // empty: standard output
  bool json = false;
  Precision precision = Precision::float64;
  std::optional<std::size_t> threads, chunk;
};

void score_command(const ScoreArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
