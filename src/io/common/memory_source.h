// Bytes in memory as a source for the readers of text.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "bisector/io/byte_source.h"

namespace bisector::io {

class MemorySource : public ByteSource {
 public:
  /// `source` is the name in errors.
  MemorySource(std::string source, std::string text)
      : source_(std::move(source)), text_(std::move(text)) {}

  const std::string& source() const override { return source_; }
  std::size_t read(std::span<char> to) override {
    const std::size_t count = std::min(to.size(), text_.size() - at_);
    if (count > 0) std::memcpy(to.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }
  std::optional<double> fraction_read() const override {
    if (text_.empty()) return std::nullopt;
    return static_cast<double>(at_) / static_cast<double>(text_.size());
  }
  void rewind() override { at_ = 0; }

 private:
  std::string source_, text_;
  std::size_t at_ = 0;
};

}  // namespace bisector::io
