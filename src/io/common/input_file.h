// A file opened for reading, in order or at an offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "bisector/io/byte_source.h"

namespace bisector::io {

/// An open file, or standard input for the path "-". Every failure throws a FileError with the file
/// name and the reason of the system.
class InputFile : public ByteSource {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile() override;
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  /// The file name in errors.
  const std::string& source() const override { return source_; }
  /// The next bytes that are available; a pipe does not wait for more. Zero at the end.
  std::size_t read(std::span<char> to) override;
  /// Fills the span. Throws FormatError if the file ends early.
  void read_exactly(std::span<char> to);
  /// Fills the span from an offset, without changing the position of read().
  void read_exactly_at(std::uint64_t offset, std::span<char> to);
  void seek(std::uint64_t offset);
  void rewind() override { seek(0); }
  std::uint64_t position() const;
  /// The position of read() as a fraction of the size; nothing for a pipe.
  std::optional<double> fraction_read() const override;
  /// The size in bytes. Throws FileError for a pipe.
  std::uint64_t size() const;

 private:
  [[noreturn]] void fail() const;

  std::string source_;
  int descriptor_;
  bool owned_;
};

}  // namespace bisector::io
