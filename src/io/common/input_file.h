// A file opened for reading: bytes in order, or at a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "bisector/io/byte_source.h"

namespace bisector::io {

/// An open file, or standard input for the path "-". Every failure is a FileError that names the
/// file and the system's reason.
class InputFile : public ByteSource {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile() override;
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  /// How errors name the file.
  const std::string& source() const override { return source_; }
  /// The next bytes, as many as there are for now: a pipe delivers what was written to it without
  /// waiting for more. Zero at the end.
  std::size_t read(std::span<char> to) override;
  /// Fills the span, or throws FormatError: the file ends early.
  void read_exactly(std::span<char> to);
  /// Fills the span from a place, leaving the place of read() alone.
  void read_exactly_at(std::uint64_t offset, std::span<char> to);
  void seek(std::uint64_t offset);
  void rewind() override { seek(0); }
  std::uint64_t position() const;
  /// The place of read() as a part of the whole, from 0 to 1; nothing for a pipe.
  std::optional<double> fraction_read() const override;
  /// The size in bytes; only for what has one (no pipes).
  std::uint64_t size() const;

 private:
  [[noreturn]] void fail() const;

  std::string source_;
  int descriptor_;
  bool owned_;
};

}  // namespace bisector::io
