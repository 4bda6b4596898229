// The pages, and the library inside the one of reports, which the build puts into the command.
#pragma once

#include <string_view>

#include "bisector/report/report.h"

namespace bisector::tools {

/// The page is empty in a command that was built without npm.
PageParts page_parts();
/// The page of explained molecules; empty in the same case.
std::string_view molecule_page();

}  // namespace bisector::tools
