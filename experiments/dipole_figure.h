// The paper's Figure 4: molecules with the relevance of their pairs, and where it lies.
#pragma once

#include <string>
#include <vector>

#include "dipole.h"

namespace bisector::paper {

/// A row for each representation, a column for each set of the paper.
std::string dipole_figure(const DipoleOptions& options, const std::vector<DipoleResult>& results);

}  // namespace bisector::paper
