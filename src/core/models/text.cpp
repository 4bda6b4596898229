#include "bisector/text.h"

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
  const auto is_shown = [is_text](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F && (byte < 0x80 || is_text);
  };
  for (char& c : text) {
    if (!is_shown(c)) c = '?';
  }
  return text;
}

}  // namespace bisector
