// bisector convert: a model from one file format into another.
#pragma once

#include <filesystem>
#include <ostream>

#include "bisector/limits.h"

namespace bisector::cli {

struct ConvertArguments {
  std::filesystem::path input, output;
  Limits limits;
};

void convert_command(const ConvertArguments& arguments, std::ostream& out);

}  // namespace bisector::cli
