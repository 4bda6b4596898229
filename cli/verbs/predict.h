// bisector predict: the prediction and the decision values of every row.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>

#include "bisector/predict.h"
#include "cli/options/input.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

struct PredictArguments {
  InputArguments input;
  std::filesystem::path output;  // empty: standard output
  std::optional<TableFormat> format;
  Precision precision = Precision::float64;
  std::optional<std::size_t> threads, chunk;
};

void predict_command(const PredictArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
