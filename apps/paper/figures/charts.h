// What an SVM makes of each dataset of the table, as charts.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace bisector::paper {

struct ChartsOptions {
  std::filesystem::path data;  // the folder of the datasets
  std::filesystem::path out = "results";
  std::vector<std::string> datasets;  // ids; empty: all
};

/// Writes figures.md, and into charts/ for each dataset the relevance of every row (images: of the
/// surest one) and the flipping curves; goes on where charts.journal ends.
void run_charts(const ChartsOptions& options, std::ostream& log);

}  // namespace bisector::paper
