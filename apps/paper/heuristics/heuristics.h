// The study of the rules' parameters (the paper's Note G) on generated problems: AUFC over model
// parameter x rule parameter, for the eta rule and the path rule.
#pragma once

#include <cstddef>
#include <ostream>

#include "common/study_run.h"

namespace bisector::paper {

struct HeuristicsOptions : StudyFolders {
  std::size_t problems = 130;  // generated; their models are tuned
  std::size_t per_value = 5;   // measured problems for each tuned gamma or k
  std::size_t rows = 100;      // explained rows per problem
};

/// Writes heuristics.csv (every cell) and heuristics.md (tables of the heat maps).
void run_heuristics(const HeuristicsOptions& options, std::ostream& log);

}  // namespace bisector::paper
