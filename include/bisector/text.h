// Text that comes from files and goes to terminals and to Python.
#pragma once

#include <string>
#include <string_view>

#include "bisector/export.h"

namespace bisector {

/// False for bytes that are cut short, overlong or no character (a surrogate, beyond U+10FFFF).
BISECTOR_EXPORT bool is_utf8(std::string_view text);

/// The text with a question mark for every control character, and for every byte beyond ASCII where
/// it is not UTF-8.
BISECTOR_EXPORT std::string printable(std::string text);

}  // namespace bisector
