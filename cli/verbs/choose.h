// bisector choose: measures which method is the most faithful for a model, and stores the choice.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/choose.h"
#include "cli/options/input.h"

namespace bisector::cli {

struct ChooseArguments {
  InputArguments input;
  std::filesystem::path background, output;
  std::optional<std::size_t> rows, samples, seed, threads;
  std::optional<double> level;
  View view = View::model;
  bool json = false;
};

void choose_command(const ChooseArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
