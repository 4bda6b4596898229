// Checks of the properties that the targets test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "bisector/error.h"
#include "bisector/matrix.h"
#include "io/text/utf8.h"

namespace bisector::fuzz {

/// Aborts if a property does not hold; the fuzzer reports the input.
inline void require(bool holds, const std::string& property) {
  if (holds) return;
  std::fprintf(stderr, "violated property: %s\n", property.c_str());
  std::abort();
}

/// A message is text for a terminal: whatever the file says, it sends no control characters there,
/// no page, and nothing but UTF-8, which Python could not decode.
inline void require_readable(std::string_view message) {
  constexpr std::size_t kLongest = 5000;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  require(!message.empty() && message.size() <= kLongest, "a message is neither empty nor a page");
  require(std::ranges::none_of(message, is_control),
          "a message has no control characters: " + std::string(message));
  require(io::decode_utf8(message).has_value(), "a message is UTF-8: " + std::string(message));
}

/// The result of `work`; nothing if it refuses its input, with the reason in `refusal`. Any other
/// exception is a defect.
template <class Work>
auto attempt(const Work& work, std::string* refusal = nullptr) -> std::optional<decltype(work())> {
  std::string message;
  try {
    return work();
  } catch (const InvalidInput& error) {
    message = error.what();
  } catch (const FileError& error) {
    message = error.what();
  }
  require_readable(message);
  if (refusal != nullptr) *refusal = message;
  return std::nullopt;
}

/// The same number; zero has two signs, which sparse formats cannot distinguish, and NaN many bit
/// patterns.
inline bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline bool is_same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::ranges::equal(a.values(), b.values(),
                            [](double x, double y) { return is_same(x, y); });
}

}  // namespace bisector::fuzz
