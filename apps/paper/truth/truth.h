// Do explanations say what is true? Generated problems whose effects are known, several kinds of
// models, every method.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>

#include "bisector/matrix.h"

namespace bisector::paper {

struct TruthOptions {
  std::filesystem::path out = "results";
  std::size_t seeds = 10;
  std::size_t rows = 200;                            // explained in each problem
  std::size_t points = 800, neighbor_points = 1500;  // to learn from
};

/// How relevance compares with effects, both rows x features.
struct TruthScore {
  double sign;         // share of the effects above 0.5 in size whose sign is right
  double unused;       // share of |relevance| on features without effect, mean over the rows
  double correlation;  // with the effects within a row, mean over the rows
};
TruthScore compare_with_truth(const Matrix& relevance, const Matrix& effects);

/// Writes truth.csv and truth.md; goes on where truth.journal ends.
void run_truth(const TruthOptions& options, std::ostream& log);

}  // namespace bisector::paper
