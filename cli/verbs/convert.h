// bisector convert: converts a model file to another format.
#pragma once

#include <filesystem>
#include <ostream>

#include "bisector/limits.h"

namespace bisector::cli {

struct ConvertArguments {
  std::filesystem::path input, output;
  Limits limits;
};

void convert_command(const ConvertArguments& arguments, std::ostream& notes);

}  // namespace bisector::cli
