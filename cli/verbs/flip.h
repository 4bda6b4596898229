// bisector flip: the smallest change of a row that makes the model decide otherwise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options/input.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

struct FlipArguments {
  InputArguments input;
  std::filesystem::path output, background;
  std::optional<TableFormat> format;
  bool text = false, no_radius = false;
  std::vector<std::string> fixed, only, increased, decreased;  // columns
  std::string to;                                              // class or value
  std::optional<std::size_t> row, count, changes, threads;

  /// One row on standard output is for people, unless a format is given.
  bool is_text() const { return text || (row && output.empty() && !format); }
};

void flip_command(const FlipArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
