// The table for models that the paper's has not: regressors and one-class machines, against exact
// interventional Shapley values.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>

namespace bisector::paper {

struct OtherModelsOptions {
  std::filesystem::path data;  // the folder of the datasets; what is absent is left out
  std::filesystem::path out = "results";
  std::size_t seeds = 5;
  std::size_t rows = 100;       // explained in each
  std::size_t max_rows = 2000;  // of a dataset, before the split
};

/// Kernel ridge, SVR and neighbors: regressors.csv and regressors.md; goes on where
/// regressors.journal ends.
void run_regressors(const OtherModelsOptions& options, std::ostream& log);

/// One-class SVMs, with a dataset's most frequent class inside: one-class.csv and one-class.md.
void run_one_class(const OtherModelsOptions& options, std::ostream& log);

}  // namespace bisector::paper
