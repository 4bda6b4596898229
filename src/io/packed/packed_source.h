// The common part of the unpackers. A packed file has one stream or several, one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bisector/limits.h"
#include "io/common/input_file.h"

namespace bisector::io {

inline constexpr std::size_t kPackedBlock = std::size_t{1} << 16;

/// The bytes of a file in blocks. The first block can be examined before it is taken.
class Blocks {
 public:
  explicit Blocks(const std::filesystem::path& path);

  const InputFile& file() const { return file_; }
  std::string_view pending() const { return {block_.data() + begin_, size_ - begin_}; }
  char* data() { return block_.data() + begin_; }
  void skip(std::size_t bytes) { begin_ += bytes; }
  std::size_t taken() const { return before_ + begin_; }
  /// Reads more if nothing is pending; false at the end of the file.
  bool more();
  /// The next bytes: pending ones first, then from the file.
  std::size_t read(std::span<char> to);
  void rewind();

 private:
  bool fill();

  InputFile file_;
  std::array<char, kPackedBlock> block_;
  std::size_t begin_ = 0, size_ = 0, before_ = 0;
};

class PackedSource : public ByteSource {
 public:
  PackedSource(std::unique_ptr<Blocks> blocks, const Limits& limits)
      : blocks_(std::move(blocks)), limits_(limits) {}
  const std::string& source() const override { return blocks_->file().source(); }
  std::size_t read(std::span<char> to) override;
  std::optional<double> fraction_read() const override { return blocks_->file().fraction_read(); }
  void rewind() override;

 protected:
  [[noreturn]] void fail(std::string_view problem) const;
  /// Prepares for the next stream.
  virtual void start() = 0;
  /// Unpacks the `left` bytes at `from` into `to`, as many as fit; lowers `left`, returns the bytes
  /// made.
  virtual std::size_t unpack(std::span<char> to, char* from, std::size_t& left) = 0;
  void end_stream() { is_open_ = false; }

 private:
  void require_sane() const;

  std::unique_ptr<Blocks> blocks_;
  Limits limits_;
  std::uint64_t unpacked_ = 0;
  bool is_open_ = false;
};

/// The unpacker of a file, recognized by its first bytes; null if the file is not compressed.
std::unique_ptr<ByteSource> unpacker_of(std::unique_ptr<Blocks>& blocks, const Limits& limits);

}  // namespace bisector::io
