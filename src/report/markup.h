// Text inside markup.
#pragma once

#include <string>
#include <string_view>

namespace bisector::report {

/// The text with nothing left in it that markup would take for its own. Control characters, which
/// XML does not allow, become spaces.
std::string escaped(std::string_view text);

}  // namespace bisector::report
