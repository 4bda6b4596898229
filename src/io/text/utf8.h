// UTF-8 to and from code points, strict in both directions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bisector::io {

/// Appends one character; false, with nothing appended, for a code that is none (a surrogate, or
/// beyond U+10FFFF).
bool append_utf8(std::string& text, char32_t code);

/// Nothing where the bytes are not valid UTF-8: cut short, overlong, or codes that are no
/// character.
std::optional<std::u32string> decode_utf8(std::string_view text);

}  // namespace bisector::io
