#include "io/text/utf8.h"

#include <cstddef>

#include "bisector/text.h"

namespace bisector::io {
namespace {

constexpr bool is_character(char32_t code) {
  return code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

/// The number of bytes of a character, by its first byte.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

char32_t decode_one(std::string_view sequence) {
  const std::size_t length = sequence.size();
  const auto lead = static_cast<unsigned char>(sequence[0]);
  char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (const char c : sequence.substr(1)) code = (code << 6) | (static_cast<unsigned>(c) & 0x3Fu);
  return code;
}

}  // namespace

bool append_utf8(std::string& text, char32_t code) {
  if (!is_character(code)) return false;
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    tail(12), tail(6), tail(0);
  }
  return true;
}

std::optional<std::u32string> decode_utf8(std::string_view text) {
  if (!is_utf8(text)) return std::nullopt;
  std::u32string codes;
  while (!text.empty()) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(text[0]));
    codes += decode_one(text.substr(0, length));
    text.remove_prefix(length);
  }
  return codes;
}

std::optional<std::string> utf8_from_utf16(std::string_view bytes) {
  if (bytes.size() < 2 || bytes.size() % 2 != 0) return std::nullopt;
  const bool is_big_endian = bytes[0] == '\xFE';
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(is_big_endian ? first << 8 | second : second << 8 | first);
  };
  std::string text;
  for (std::size_t at = 2; at < bytes.size(); at += 2) {
    char32_t code = unit(at);
    const bool is_high_surrogate = code >= 0xD800 && code < 0xDC00;
    if (is_high_surrogate && at + 3 < bytes.size()) {
      const char32_t low = unit(at + 2);
      if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      at += 2;
    }
    if (!append_utf8(text, code)) return std::nullopt;
  }
  return text;
}

}  // namespace bisector::io
