// Charts of an SVM for each dataset of the table.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "common/study_run.h"

namespace bisector::paper {

struct ChartsOptions : StudyFolders {
  std::vector<std::string> datasets;  // ids; empty: all
};

/// Writes figures.md, and into charts/ for each dataset the relevance of every row (images: of
/// the most certain one) and the flipping curves. Continues charts.journal.
void run_charts(const ChartsOptions& options, std::ostream& log);

}  // namespace bisector::paper
