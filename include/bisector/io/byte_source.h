// Reading a file's bytes in order, decompressed if the file is compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bisector/export.h"
#include "bisector/limits.h"

namespace bisector {

class BISECTOR_EXPORT ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The name of the source in error messages.
  virtual const std::string& source() const = 0;
  /// Reads the next bytes: at least one before the end, 0 at the end. Throws FileError, and
  /// FormatError if compressed data are damaged or truncated.
  virtual std::size_t read(std::span<char> to) = 0;
  /// The fraction that has been read, from 0 to 1; nothing for a pipe.
  virtual std::optional<double> fraction_read() const = 0;
  /// Returns to the first byte. Throws FileError for a pipe.
  virtual void rewind() = 0;
};

/// Opens a file ("-": standard input) and decompresses it if it begins like a gzip or zstd file.
/// Throws FileError, and FormatError for a bzip2 or xz file. Reading throws FormatError if the data
/// expand beyond the limits.
BISECTOR_EXPORT std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path,
                                                       const Limits& limits = {});

}  // namespace bisector
