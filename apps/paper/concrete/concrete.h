// What an explanation says of young concrete: the paper's rule and the default.
#pragma once

#include <filesystem>
#include <ostream>

namespace bisector::paper {

struct ConcreteOptions {
  std::filesystem::path data;  // the folder of the datasets
  std::filesystem::path out = "results";
};

/// Writes young_concrete.md, young_concrete.csv and young_concrete.svg to the folder.
void run_concrete(const ConcreteOptions& options, std::ostream& log);

}  // namespace bisector::paper
