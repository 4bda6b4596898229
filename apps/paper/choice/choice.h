// The study that chose the default rules: AUFC with disjoint donor rows, on generated problems and
// on datasets outside the paper's table, for every kind of model.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "common/study_run.h"

namespace bisector::paper {

struct ChoiceOptions : StudyFolders {
  std::size_t seeds = 2;
  std::size_t problems = 4;                 // generated problems of each kind
  std::size_t rows = 100, image_rows = 50;  // explained rows per problem
  std::size_t points = 1000;                // rows of a generated problem before the split
  std::vector<std::string> parts;           // names; empty: all
};

/// "classes", "svm", "regressors", "one-class", "categories", "many-features".
std::vector<std::string> choice_parts();

/// Writes choice.csv and choice.md for "classes", choice_svm.csv and so on for the other parts.
/// Continues the journals of the same names.
void run_choice(const ChoiceOptions& options, std::ostream& log);

}  // namespace bisector::paper
