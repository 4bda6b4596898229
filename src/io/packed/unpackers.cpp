// One class for each library. Every library compares the checksums in the file.
#include <fmt/format.h>
#include <zlib.h>
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

/// Refuses data that are unpacked by another program, which `program` names.
[[noreturn]] void refuse(const Blocks& blocks, std::string_view program) {
  const std::string& source = blocks.file().source();
  throw FormatError(
      source, 0,
      fmt::format("packed by {0}, expected plain text, gzip or zstd: {0} -dc{1} | bisector ... -",
                  program, source == "standard input" ? "" : " " + source));
}

}  // namespace

std::unique_ptr<ByteSource> unpacker_of(std::unique_ptr<Blocks>& blocks, const Limits& limits) {
  using namespace std::string_view_literals;
  const std::string_view head = blocks->pending();
  if (head.starts_with("\x1F\x8B")) return std::make_unique<GzipSource>(std::move(blocks), limits);
  if (head.starts_with("BZh")) refuse(*blocks, "bzip2");
  if (head.starts_with("\xFD"
                       "7zXZ\0"sv))
    refuse(*blocks, "xz");
  if (head.starts_with("\x28\xB5\x2F\xFD"))
#ifdef BISECTOR_ZSTD
    return std::make_unique<ZstdSource>(std::move(blocks), limits);
#else
    refuse(*blocks, "zstd");
#endif
  return nullptr;
}

}  // namespace bisector::io
