// bisector demo: the whole way on data that the command carries, from a table to explanations.
#pragma once

#include <filesystem>
#include <ostream>

namespace bisector::cli {

struct DemoArguments {
  std::filesystem::path folder = "bisector-demo";
};

void demo_command(const DemoArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
