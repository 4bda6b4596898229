// Lines of text, with their numbers, from any function that reads bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bisector::molecules {

/// No line of a frame is longer than this many bytes.
inline constexpr std::size_t kLongestXyzLine = std::size_t{1} << 20;

class XyzLines {
 public:
  using Read = std::function<std::size_t(std::span<char>)>;

  /// `read` returns the number of bytes that it read, 0 at the end; errors name `source`.
  XyzLines(Read read, std::string source);

  const std::string& source() const { return source_; }
  /// Moves to the next line; false after the last. Throws FormatError for a line above the limit.
  bool next();
  /// The current line without its line ending.
  std::string_view text() const { return text_; }
  /// The number of the current line, from 1.
  std::size_t number() const { return number_; }

 private:
  bool fill();

  Read read_;
  std::string source_, text_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, end_ = 0, number_ = 0;
};

}  // namespace bisector::molecules
