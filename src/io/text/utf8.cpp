#include "io/text/utf8.h"

#include <cstddef>

namespace bisector::io {
namespace {

constexpr bool is_character(char32_t code) {
  return code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

/// The bytes of a character by its first byte; zero for a byte that starts none.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF8 ? 4 : 0;
}

/// The smallest code that needs so many bytes; anything below was written overlong.
char32_t smallest_code(std::size_t length) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return kSmallest[length];
}

std::optional<char32_t> decode_one(std::string_view sequence) {
  const std::size_t length = sequence.size();
  const auto lead = static_cast<unsigned char>(sequence[0]);
  char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (const char c : sequence.substr(1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    code = (code << 6) | (byte & 0x3Fu);
  }
  if (!is_character(code) || code < smallest_code(length)) return std::nullopt;
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
  std::u32string codes;
  while (!text.empty()) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(text[0]));
    if (length == 0 || length > text.size()) return std::nullopt;
    const auto code = decode_one(text.substr(0, length));
    if (!code) return std::nullopt;
    codes += *code;
    text.remove_prefix(length);
  }
  return codes;
}

}  // namespace bisector::io
