// Charts as files.
#pragma once

#include <filesystem>
#include <vector>

#include "bisector/report/report.h"

namespace bisector::cli {

/// Writes NAME.svg for each chart into a folder, which is made where it is missing, and NAME.png
/// where rsvg-convert is installed. Returns the files.
std::vector<std::filesystem::path> write_figures(const std::filesystem::path& folder,
                                                 const std::vector<NamedChart>& charts);

}  // namespace bisector::cli
