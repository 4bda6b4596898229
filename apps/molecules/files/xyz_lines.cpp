#include "apps/molecules/files/xyz_lines.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "bisector/error.h"

namespace bisector::molecules {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 14;

}  // namespace

XyzLines::XyzLines(Read read, std::string source)
    : read_(std::move(read)),
      source_(std::move(source)),
      buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)) {}

bool XyzLines::fill() {
  begin_ = 0;
  end_ = read_({buffer_.get(), kBuffer});
  return end_ > 0;
}

bool XyzLines::next() {
  text_.clear();
  bool is_there = false;
  while (begin_ < end_ || fill()) {
    if (!std::exchange(is_there, true)) ++number_;
    const char* const from = buffer_.get() + begin_;
    const void* const found = std::memchr(from, '\n', end_ - begin_);
    const std::size_t length =
        found == nullptr ? end_ - begin_
                         : static_cast<std::size_t>(static_cast<const char*>(found) - from);
    if (text_.size() + length > kLongestXyzLine)
      throw FormatError(source_, number_,
                        fmt::format("a line of more than {} KiB, expected a molecule as XYZ text",
                                    kLongestXyzLine >> 10));
    text_.append(from, length);
    begin_ += length + (found == nullptr ? 0 : 1);
    if (found != nullptr) break;
  }
  if (text_.ends_with('\r')) text_.pop_back();
  return is_there;
}

}  // namespace bisector::molecules
