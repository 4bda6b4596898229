// Which rule should be the default? AUFC with disjoint donors, on generated problems and on
// datasets outside the paper's table, for every kind of model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>

namespace bisector::paper {

struct ChoiceOptions {
  std::filesystem::path data;  // the folder of the datasets; what is absent is left out
  std::filesystem::path out = "results";
  std::size_t seeds = 2;
  std::size_t problems = 4;                 // generated ones of each sort
  std::size_t rows = 100, image_rows = 30;  // explained in each
  std::size_t points = 1000;                // of a generated problem, before the split
};

/// Writes choice.csv and choice.md; goes on where choice.journal ends.
void run_choice(const ChoiceOptions& options, std::ostream& log);

}  // namespace bisector::paper
