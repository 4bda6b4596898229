// Letters and digits of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace bisector::util {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char left, char right) { return lower_case(left) == lower_case(right); });
}

}  // namespace bisector::util
