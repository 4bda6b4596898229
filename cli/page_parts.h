// The page of a report and the library inside it, which the build puts into the command.
#pragma once

#include "bisector/report.h"

namespace bisector::cli {

/// The page is empty in a command that was built without npm.
PageParts page_parts();

}  // namespace bisector::cli
