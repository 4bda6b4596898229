// The paper's Figure 1: a two-dimensional SVM and a KNN, their f and g, and the
// most influential units of the network for one point.
#pragma once

#include <ostream>

#include "common/study_run.h"

namespace bisector::paper {

/// Writes overview.svg.
void run_overview(const StudyFolders& options, std::ostream& log);

}  // namespace bisector::paper
