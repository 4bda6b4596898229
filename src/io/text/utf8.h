// Strict conversion between UTF-8, UTF-16 and code points.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bisector::io {

/// Appends one character. Returns false and appends nothing if the code is not a character (a
/// surrogate, or above U+10FFFF).
bool append_utf8(std::string& text, char32_t code);

/// Nothing if the bytes are not valid UTF-8: truncated, overlong, or not characters.
std::optional<std::u32string> decode_utf8(std::string_view text);

/// Decodes UTF-16 with its byte order mark; nothing if it is not valid.
std::optional<std::string> utf8_from_utf16(std::string_view bytes);

}  // namespace bisector::io
