// Numbers in output: the shortest text that reads back as the same number.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace bisector::cli {

/// Infinities are "inf" and "-inf".
inline void append_number(std::string& text, double value) {
  char digits[32];  // the longest double takes 24
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

inline void append_number(std::string& text, std::size_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

/// JSON has no infinities; they become null.
inline void append_json_number(std::string& text, double value) {
  if (std::isfinite(value))
    append_number(text, value);
  else
    text += "null";
}

}  // namespace bisector::cli
