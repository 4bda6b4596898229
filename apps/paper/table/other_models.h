// The table for kinds of models that are not in the paper: regressors and one-class machines,
// compared with exact interventional Shapley values.
#pragma once

#include <cstddef>
#include <ostream>

#include "common/study_run.h"

namespace bisector::paper {

struct OtherModelsOptions : StudyFolders {
  std::size_t seeds = 5;
  std::size_t rows = 100;       // explained rows per problem
  std::size_t max_rows = 2000;  // of a dataset, before the split
};

/// Kernel ridge, SVR and neighbors: writes regressors.csv and regressors.md. Continues
/// regressors.journal.
void run_regressors(const OtherModelsOptions& options, std::ostream& log);

/// One-class SVMs, trained on the most frequent class: writes one-class.csv and one-class.md.
void run_one_class(const OtherModelsOptions& options, std::ostream& log);

}  // namespace bisector::paper
