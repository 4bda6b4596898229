#include "io/packed/byte_source.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bisector/error.h"
#include "io/common/input_file.h"

namespace bisector::io {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

/// A file's bytes in blocks, of which the first can be looked at before it is taken.
class Blocks {
 public:
  explicit Blocks(const std::filesystem::path& path) : file_(path) {
    while (size_ < 4 && fill()) continue;
  }

  const std::string& source() const { return file_.source(); }
  std::string_view pending() const { return {block_.data() + begin_, size_ - begin_}; }
  char* data() { return block_.data() + begin_; }
  void skip(std::size_t bytes) { begin_ += bytes; }
  std::size_t taken() const { return before_ + begin_; }
  /// Reads on where nothing is pending; false at the end of the file.
  bool more() {
    if (begin_ < size_) return true;
    before_ += size_;
    begin_ = size_ = 0;
    return fill();
  }

 private:
  bool fill() {
    const std::size_t got = file_.read(std::span(block_).subspan(size_));
    size_ += got;
    return got > 0;
  }

  InputFile file_;
  std::array<char, kBlock> block_;
  std::size_t begin_ = 0, size_ = 0, before_ = 0;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<Blocks> blocks) : blocks_(std::move(blocks)) {}
  const std::string& source() const override { return blocks_->source(); }
  std::size_t read(std::span<char> to) override {
    if (!blocks_->more()) return 0;
    const std::size_t count = std::min(to.size(), blocks_->pending().size());
    std::copy_n(blocks_->data(), count, to.data());
    blocks_->skip(count);
    return count;
  }

 private:
  std::unique_ptr<Blocks> blocks_;
};

/// What the two libraries have in common: streams, one behind the other, each with its own end.
class PackedSource : public ByteSource {
 public:
  PackedSource(std::unique_ptr<Blocks> blocks, const Limits& limits)
      : blocks_(std::move(blocks)), limits_(limits) {}
  const std::string& source() const override { return blocks_->source(); }

  std::size_t read(std::span<char> to) override {
    std::size_t made = 0;
    while (made == 0 && !to.empty()) {
      if (!blocks_->more()) {
        if (is_open_) fail("ends in the middle of its packed data: the file was cut off");
        return 0;
      }
      if (!is_open_) start();
      is_open_ = true;
      const std::size_t before = blocks_->pending().size();
      std::size_t left = before;
      made = unpack(to, blocks_->data(), left);
      blocks_->skip(before - left);
      unpacked_ += made;
      require_sane();
    }
    return made;
  }

 protected:
  [[noreturn]] void fail(std::string_view problem) const {
    throw FormatError(source(), 0, problem);
  }
  /// Where another stream follows.
  virtual void start() = 0;
  /// Unpacks the `left` bytes at `from` into `to`, as many as fit; lowers `left`, returns the bytes
  /// made.
  virtual std::size_t unpack(std::span<char> to, char* from, std::size_t& left) = 0;
  void end_stream() { is_open_ = false; }

 private:
  void require_sane() const {
    if (!limits_.allow_unpacking(blocks_->taken(), unpacked_))
      fail(fmt::format("unpacks to {} times its size, expected text (limit expansion)",
                       limits_.max_expansion));
  }

  std::unique_ptr<Blocks> blocks_;
  Limits limits_;
  std::uint64_t unpacked_ = 0;
  bool is_open_ = false;
};

class GzipSource : public PackedSource {
 public:
  GzipSource(std::unique_ptr<Blocks> blocks, const Limits& limits)
      : PackedSource(std::move(blocks), limits) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

 private:
  void start() override { inflateReset(&stream_); }
  std::size_t unpack(std::span<char> to, char* from, std::size_t& left) override {
    stream_.next_in = reinterpret_cast<Bytef*>(from);
    stream_.avail_in = static_cast<uInt>(left);
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = static_cast<uInt>(std::min(to.size(), kBlock));
    const uInt room = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    left = stream_.avail_in;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END)
      end_stream();
    else if (status != Z_OK && status != Z_BUF_ERROR)
      fail(fmt::format("damaged gzip data ({})",
                       stream_.msg != nullptr ? stream_.msg : "no reason given"));
    return room - stream_.avail_out;
  }

  z_stream stream_ = {};
};

class Bzip2Source : public PackedSource {
 public:
  using PackedSource::PackedSource;
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;

 private:
  void start() override {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  std::size_t unpack(std::span<char> to, char* from, std::size_t& left) override {
    stream_.next_in = from;
    stream_.avail_in = static_cast<unsigned>(left);
    stream_.next_out = to.data();
    stream_.avail_out = static_cast<unsigned>(std::min(to.size(), kBlock));
    const unsigned room = stream_.avail_out;
    const int status = BZ2_bzDecompress(&stream_);
    left = stream_.avail_in;
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status == BZ_STREAM_END)
      end_stream();
    else if (status != BZ_OK)
      fail("damaged bzip2 data");
    return room - stream_.avail_out;
  }

  bz_stream stream_ = {};
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path, const Limits& limits) {
  auto blocks = std::make_unique<Blocks>(path);
  const std::string_view head = blocks->pending();
  if (head.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(blocks), limits);
  if (head.starts_with("BZh")) return std::make_unique<Bzip2Source>(std::move(blocks), limits);
  return std::make_unique<PlainSource>(std::move(blocks));
}

std::size_t read_fully(ByteSource& source, std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const std::size_t got = source.read(to.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

}  // namespace bisector::io
