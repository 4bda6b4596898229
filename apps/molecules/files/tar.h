// Reads tar archives from the first byte to the last. Nothing is written to the disk, so the names
// of members serve messages only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bisector/io/byte_source.h"

namespace bisector::molecules {

inline constexpr std::size_t kTarBlock = 512;
using TarBlock = std::array<char, kTarBlock>;

/// Fills the span as far as there are bytes and returns their number.
std::size_t read_fully(ByteSource& source, std::span<char> to);

/// True if the block is the header of a member, which its checksum shows.
bool is_tar_header(std::span<const char> block);

class TarReader {
 public:
  /// `first` is the first block of the archive; the caller has read it to recognize the format.
  TarReader(std::unique_ptr<ByteSource> archive, const TarBlock& first);

  /// Moves to the next regular file and skips the rest of this one; false after the last. Throws
  /// FormatError for a damaged or truncated archive.
  bool next_file();
  /// "archive.tar/member", with unprintable bytes replaced.
  const std::string& member() const { return member_; }
  /// Reads the next bytes of the member; 0 at its end.
  std::size_t read(std::span<char> to);

 private:
  [[noreturn]] void fail(const std::string& problem) const;
  void skip(std::uint64_t bytes);

  std::unique_ptr<ByteSource> archive_;
  TarBlock header_;
  bool is_header_read_ = true;
  std::string member_;
  std::uint64_t remaining_ = 0, padding_ = 0;
};

}  // namespace bisector::molecules
