// Text inside markup: SVG and HTML.
#pragma once

#include <string>
#include <string_view>

#include "bisector/export.h"

namespace bisector::chart {

/// The text with all characters escaped that have a meaning in markup. Control characters, which
/// XML does not allow, become spaces.
BISECTOR_EXPORT std::string escaped_markup(std::string_view text);

}  // namespace bisector::chart
