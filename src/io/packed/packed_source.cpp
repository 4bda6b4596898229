#include "io/packed/packed_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"

namespace bisector::io {

Blocks::Blocks(const std::filesystem::path& path) : file_(path) {
  constexpr std::size_t kLongestMark = 6;
  while (size_ < kLongestMark && fill()) continue;
}

bool Blocks::fill() {
  const std::size_t got = file_.read(std::span(block_).subspan(size_));
  size_ += got;
  return got > 0;
}

bool Blocks::more() {
  if (begin_ < size_) return true;
  before_ += size_;
  begin_ = size_ = 0;
  return fill();
}

std::size_t Blocks::read(std::span<char> to) {
  if (begin_ == size_) return file_.read(to);
  const std::size_t count = std::min(to.size(), size_ - begin_);
  std::copy_n(data(), count, to.data());
  skip(count);
  return count;
}

void Blocks::rewind() {
  file_.rewind();
  begin_ = size_ = before_ = 0;
}

std::size_t PackedSource::read(std::span<char> to) {
  std::size_t made = 0;
  while (made == 0 && !to.empty()) {
    const bool is_at_end = !blocks_->more();
    if (is_at_end && !is_open_) return 0;
    if (!is_open_) start();
    is_open_ = true;
    const std::size_t before = blocks_->pending().size();
    std::size_t left = before;
    made = unpack(to, blocks_->data(), left);
    // A library may have output left after it has taken the last byte.
    if (is_at_end && made == 0 && is_open_)
      fail("ends in the middle of its packed data: the file was cut off");
    blocks_->skip(before - left);
    unpacked_ += made;
    require_sane();
  }
  return made;
}

void PackedSource::rewind() {
  blocks_->rewind();
  unpacked_ = 0;
  is_open_ = false;
}

void PackedSource::fail(std::string_view problem) const { throw FormatError(source(), 0, problem); }

void PackedSource::require_sane() const {
  if (!limits_.allow_unpacking(blocks_->taken(), unpacked_))
    fail(fmt::format("unpacks to {} times its size, expected text (limit expansion)",
                     limits_.max_expansion));
  // Tables pack to a tenth or so of their size. A small file of gigabytes is a mistake or an
  // attack.
  constexpr std::uint64_t kUnusualRatio = 100;
  if (unpacked_ > limits_.max_unpacked_bytes && unpacked_ / kUnusualRatio > blocks_->taken())
    fail(fmt::format("unpacks to over {} bytes, more than {} times its size (limit unpacked-bytes)",
                     limits_.max_unpacked_bytes, kUnusualRatio));
}

}  // namespace bisector::io
