// Bytes in order, whatever they are packed in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "bisector/limits.h"

namespace bisector::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// How errors name it.
  virtual const std::string& source() const = 0;
  /// The next bytes, at least one while there are any; zero at the end. Throws FileError, or
  /// FormatError for packed bytes that are damaged or cut off.
  virtual std::size_t read(std::span<char> to) = 0;
};

/// A file's bytes, unpacked where it begins like a gzip or bzip2 file; "-" is standard input.
/// Throws FormatError where a few packed bytes become very many.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path, const Limits& limits);

/// Fills the span as far as there are bytes, and says how far that is.
std::size_t read_fully(ByteSource& source, std::span<char> to);

}  // namespace bisector::io
