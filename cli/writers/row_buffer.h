// Collects text and writes it in large pieces.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace bisector::cli {

class RowBuffer {
 public:
  explicit RowBuffer(std::ostream& out) : out_(out) {}

  std::string& text() { return text_; }
  /// To call after each row: writes a full buffer, so that memory stays bounded.
  void end_row() {
    if (text_.size() >= kFull) flush();
  }
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

 private:
  static constexpr std::size_t kFull = std::size_t{1} << 20;
  std::ostream& out_;
  std::string text_;
};

}  // namespace bisector::cli
