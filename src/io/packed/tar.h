// Tar archives, read from their first byte to their last. Nothing is ever written to the disk, so
// the names inside serve messages only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/packed/open_bytes.h"

namespace bisector::io {

inline constexpr std::size_t kTarBlock = 512;
using TarBlock = std::array<char, kTarBlock>;

/// True for the header of a member: its checksum is right.
bool is_tar_header(std::span<const char> block);

class TarReader {
 public:
  /// `first` is the archive's first block, which was read to recognize it.
  TarReader(std::unique_ptr<ByteSource> archive, const TarBlock& first);

  /// Steps to the next regular file, over the rest of this one; false behind the last. Throws
  /// FormatError for an archive that is damaged or cut off.
  bool next_file();
  /// "archive.tar/member", with bytes that would spoil a message replaced.
  const std::string& member() const { return member_; }
  /// The next bytes of the file; zero at its end.
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

}  // namespace bisector::io
