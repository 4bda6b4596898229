// One class for each library. Every library compares the checksums in the file.
#include <bzlib.h>
#include <fmt/format.h>
#include <zlib.h>
#ifdef BISECTOR_XZ
#include <lzma.h>
#endif
#ifdef BISECTOR_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <new>

#include "bisector/error.h"
#include "io/packed/packed_source.h"

namespace bisector::io {
namespace {

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
    stream_.avail_out = static_cast<uInt>(std::min(to.size(), kPackedBlock));
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
    stream_.avail_out = static_cast<unsigned>(std::min(to.size(), kPackedBlock));
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

#ifdef BISECTOR_XZ
class XzSource : public PackedSource {
 public:
  using PackedSource::PackedSource;
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

 private:
  // xz -9 needs 65 MB, so a file that needs more was made to exhaust the memory.
  static constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 28;

  void start() override {
    if (lzma_stream_decoder(&stream_, kMaxMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  std::size_t unpack(std::span<char> to, char* from, std::size_t& left) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(from);
    stream_.avail_in = left;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to.data());
    stream_.avail_out = std::min(to.size(), kPackedBlock);
    const std::size_t room = stream_.avail_out;
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    left = stream_.avail_in;
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status == LZMA_MEMLIMIT_ERROR) fail("xz data that need over 256 MB to unpack");
    if (status == LZMA_STREAM_END)
      end_stream();
    else if (status != LZMA_OK && status != LZMA_BUF_ERROR)
      fail("damaged xz data");
    return room - stream_.avail_out;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

#endif

#ifdef BISECTOR_ZSTD
class ZstdSource : public PackedSource {
 public:
  ZstdSource(std::unique_ptr<Blocks> blocks, const Limits& limits)
      : PackedSource(std::move(blocks), limits), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

 private:
  void start() override { ZSTD_initDStream(stream_); }
  std::size_t unpack(std::span<char> to, char* from, std::size_t& left) override {
    ZSTD_inBuffer in{from, left, 0};
    ZSTD_outBuffer out{to.data(), std::min(to.size(), kPackedBlock), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(status) != 0)
      fail(fmt::format("damaged zstd data ({})", ZSTD_getErrorName(status)));
    left -= in.pos;
    if (status == 0) end_stream();
    return out.pos;
  }

  ZSTD_DStream* stream_;
};
#endif

/// Refuses a packing that this build has no library for.
[[noreturn, maybe_unused]] void refuse(const char* packing) {
  throw InvalidInput(fmt::format(
      "data packed by {0}, which this build cannot unpack, expected them unpacked ({0} -d)",
      packing));
}

}  // namespace

std::unique_ptr<ByteSource> unpacker_of(std::unique_ptr<Blocks>& blocks, const Limits& limits) {
  using namespace std::string_view_literals;
  const std::string_view head = blocks->pending();
  if (head.starts_with("\x1F\x8B")) return std::make_unique<GzipSource>(std::move(blocks), limits);
  if (head.starts_with("BZh")) return std::make_unique<Bzip2Source>(std::move(blocks), limits);
  if (head.starts_with("\xFD"
                       "7zXZ\0"sv))
#ifdef BISECTOR_XZ
    return std::make_unique<XzSource>(std::move(blocks), limits);
#else
    refuse("xz");
#endif
  if (head.starts_with("\x28\xB5\x2F\xFD"))
#ifdef BISECTOR_ZSTD
    return std::make_unique<ZstdSource>(std::move(blocks), limits);
#else
    refuse("zstd");
#endif
  return nullptr;
}

}  // namespace bisector::io
