// Compares explanations with known effects: generated problems, several kinds of models, every
// method.
#pragma once

#include <cstddef>
#include <ostream>

#include "bisector/matrix.h"
#include "common/study_run.h"

namespace bisector::paper {

struct TruthOptions : StudyFolders {
  std::size_t seeds = 10;
  std::size_t rows = 200;                            // explained in each problem
  std::size_t points = 800, neighbor_points = 1500;  // training rows
};

/// Agreement of relevance with effects, both rows x features.
struct TruthScore {
  double sign;         // fraction of the effects above 0.5 whose sign is correct
  double unused;       // share of |relevance| on features without effect, mean over the rows
  double correlation;  // with the effects within a row, mean over the rows
};
TruthScore compare_with_truth(const Matrix& relevance, const Matrix& effects);

/// Writes truth.csv and truth.md. Continues truth.journal.
void run_truth(const TruthOptions& options, std::ostream& log);

}  // namespace bisector::paper
