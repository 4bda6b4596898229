// Lines of text from any source of bytes, with their numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bisector::chemistry {

class XyzLines {
 public:
  using Read = std::function<std::size_t(std::span<char>)>;

  /// `read` delivers bytes, zero at the end; `source` names them in errors.
  XyzLines(Read read, std::string source);

  const std::string& source() const { return source_; }
  /// Steps to the next line, without its end; false behind the last. Throws FormatError for a line
  /// that is far too long for a frame of atoms.
  bool next();
  std::string_view text() const { return text_; }
  /// Of the current line, from one.
  std::size_t number() const { return number_; }

 private:
  bool fill();

  Read read_;
  std::string source_, text_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, end_ = 0, number_ = 0;
};

}  // namespace bisector::chemistry
