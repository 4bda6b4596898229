#include "bisector/text.h"

#include <fmt/format.h>

#include <cstddef>

namespace bisector {

bool is_utf8(std::string_view text) {
  std::size_t missing = 0;           // of the bytes of a character
  unsigned low = 0x80, high = 0xBF;  // of the next of them
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (missing > 0) {
      if (byte < low || byte > high) return false;
      --missing;
      low = 0x80, high = 0xBF;
    } else if (byte >= 0x80) {
      if (byte < 0xC2 || byte > 0xF4) return false;
      missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
      // Overlong sequences, surrogates, and code points beyond the last.
      if (byte == 0xE0 || byte == 0xF0) low = byte == 0xE0 ? 0xA0 : 0x90;
      if (byte == 0xED || byte == 0xF4) high = byte == 0xED ? 0x9F : 0x8F;
    }
  }
  return missing == 0;
}

std::string printable(std::string text) {
  const bool is_text = is_utf8(text);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters, too; terminals obey them.
    const bool is_wide_control =
        is_text && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_wide_control)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else if (byte < 0x20 || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += byte < 0x80 || is_text ? text[i] : '?';
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::size_t bytes = 0, characters = 0;
  for (; bytes < text.size() && characters <= kMost; ++bytes)
    characters += (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80;
  if (characters <= kMost) return '"' + printable(std::string(text)) + '"';
  return '"' + printable(std::string(text.substr(0, bytes - 1))) + "...\"";
}

}  // namespace bisector
