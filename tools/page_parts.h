// The page of reports and the library inside it, embedded by the build.
#pragma once

#include "bisector/report/report.h"

namespace bisector::tools {

/// The page of reports; empty if the command was built without npm.
PageParts page_parts();

}  // namespace bisector::tools
