// The pages of the commands, and the library inside the report page, embedded by the build.
#pragma once

#include <string_view>

#include "bisector/report/report.h"

namespace bisector::tools {

/// The page of reports; empty if the command was built without npm.
PageParts page_parts();
/// The page of explained molecules; empty if the command was built without npm.
std::string_view molecule_page();

}  // namespace bisector::tools
