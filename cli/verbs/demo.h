// bisector demo: from a table to explanations, on data inside the command.
#pragma once

#include <filesystem>
#include <ostream>

namespace bisector::cli {

struct DemoArguments {
  std::filesystem::path folder = "bisector-demo";
};

void demo_command(const DemoArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
