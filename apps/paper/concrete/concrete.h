// Explanations of young concrete by the paper's rule and by the default.
#pragma once

#include <ostream>

#include "common/study_run.h"

namespace bisector::paper {

/// Writes young_concrete.md, young_concrete.csv and young_concrete.svg to the folder.
void run_concrete(const StudyFolders& options, std::ostream& log);

}  // namespace bisector::paper
