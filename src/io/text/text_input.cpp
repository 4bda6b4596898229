#include "io/text/text_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "bisector/error.h"

namespace bisector::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t find_outside_quotes(std::string_view text, char wanted) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == wanted && !is_quoted) return i;
  }
  return std::string_view::npos;
}

}  // namespace

// The block is not zeroed, because most files are much smaller.
TextInput::TextInput(std::unique_ptr<ByteSource> bytes, std::uint64_t longest_row,
                     std::size_t block)
    : bytes_(std::move(bytes)),
      longest_row_(longest_row),
      capacity_(block),
      buffer_(std::make_unique_for_overwrite<char[]>(block)) {
  start();
}

void TextInput::start() {
  ends_lines_by_cr_ = false;
  while (pending_text().size() < kByteOrderMark.size() && more()) continue;
  if (pending_text().starts_with(kByteOrderMark)) begin_ += kByteOrderMark.size();
  // A carriage return outside quotes followed by text, and no line feed: old Macintosh line ends.
  const std::size_t cr = find_outside_quotes(pending_text(), '\r');
  ends_lines_by_cr_ = cr != std::string_view::npos && cr + 1 < pending_text().size() &&
                      pending_text().find('\n') == std::string_view::npos;
  if (ends_lines_by_cr_) std::ranges::replace(pending(), '\r', '\n');
}

void TextInput::make_room() {
  if (end_ < capacity_) return;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    return;
  }
  // A line of this length is another kind of file, or has a quote that is not closed.
  if (capacity_ >= longest_row_)
    throw FormatError(
        source(), line_,
        fmt::format("a row of more than {} bytes (limit row-bytes); is a quote not closed?",
                    longest_row_));
  auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
  std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
  capacity_ *= 2;
}

std::string_view TextInput::head(std::size_t bytes) {
  while (pending_text().size() < bytes && more()) continue;
  return pending_text().substr(0, bytes);
}

bool TextInput::more() {
  make_room();
  const std::size_t got = bytes_->read({buffer_.get() + end_, capacity_ - end_});
  if (ends_lines_by_cr_) std::replace(buffer_.get() + end_, buffer_.get() + end_ + got, '\r', '\n');
  end_ += got;
  return got > 0;
}

std::size_t TextInput::line_end(std::size_t from) {
  while (true) {
    const std::size_t size = end_ - begin_;
    const char* start = buffer_.get() + begin_;
    if (const void* found = std::memchr(start + from, '\n', size - from))
      return static_cast<std::size_t>(static_cast<const char*>(found) - start) + 1;
    from = size;
    if (!more()) return size;
  }
}

void TextInput::skip(std::size_t bytes, std::size_t lines) {
  begin_ += bytes;
  line_ += lines;
  // An empty buffer starts over, so that nothing must be moved.
  if (begin_ == end_) begin_ = end_ = 0;
}

std::string TextInput::take_rest() {
  std::string text;
  do {
    text += pending_text();
    skip(pending_text().size(), 0);
  } while (more());
  return text;
}

void TextInput::rewind() {
  bytes_->rewind();
  begin_ = end_ = 0;
  line_ = 1;
  start();
}

}  // namespace bisector::io
