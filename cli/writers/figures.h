// Writes charts to files.
#pragma once

#include <filesystem>
#include <vector>

#include "bisector/report/report.h"

namespace bisector::cli {

/// Writes NAME.svg for each chart into a folder, which is created if needed, and NAME.png if
/// rsvg-convert is installed. Returns the files.
std::vector<std::filesystem::path> write_figures(const std::filesystem::path& folder,
                                                 const std::vector<NamedChart>& charts);

}  // namespace bisector::cli
