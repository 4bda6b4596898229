// Which rule should be the default? AUFC with disjoint donors, on generated problems and on
// datasets outside the paper's table, for every kind of model; a page for each part of the
// question.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace bisector::paper {

struct ChoiceOptions {
  std::filesystem::path data;  // the folder of the datasets; what is absent is left out
  std::filesystem::path out = "results";
  std::size_t seeds = 2;
  std::size_t problems = 4;                 // generated ones of each sort
  std::size_t rows = 100, image_rows = 50;  // explained in each
  std::size_t points = 1000;                // of a generated problem, before the split
  std::vector<std::string> parts;           // names; empty: all
};

/// "classes", "svm", "regressors", "one-class", "categories", "many-features".
std::vector<std::string> choice_parts();

/// Writes choice.csv and choice.md for the classes, choice_svm, choice_regressors,
/// choice_one_class, choice_categories and choice_many_features; goes on where the journals of the
/// same names end.
void run_choice(const ChoiceOptions& options, std::ostream& log);

}  // namespace bisector::paper
