// Checks of text from files before it is printed or passed to Python.
#pragma once

#include <string>
#include <string_view>

#include "bisector/export.h"

namespace bisector {

/// False for truncated and overlong sequences, surrogates and code points beyond U+10FFFF.
BISECTOR_EXPORT bool is_utf8(std::string_view text);

/// The text with control characters replaced by question marks, and, if it is not UTF-8, all bytes
/// beyond ASCII as well.
BISECTOR_EXPORT std::string printable(std::string text);

/// The text in quotes for a message: printable, and at most 80 characters of it.
BISECTOR_EXPORT std::string in_quotes(std::string_view text);

}  // namespace bisector
