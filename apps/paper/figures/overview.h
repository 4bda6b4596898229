// The paper's Figure 1: a two-dimensional SVM and a KNN, their f and g, and the units of the
// network that decide one point.
#pragma once

#include <filesystem>
#include <ostream>

namespace bisector::paper {

struct OverviewOptions {
  std::filesystem::path out = "results";
};

/// Writes overview.svg.
void run_overview(const OverviewOptions& options, std::ostream& log);

}  // namespace bisector::paper
