// Bytes in order, wherever they come from and whatever they are packed in.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace bisector::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// How errors name it.
  virtual const std::string& source() const = 0;
  /// The next bytes, at least one while there are any; zero at the end. Throws FileError, or
  /// FormatError for packed bytes that are damaged or cut off.
  virtual std::size_t read(std::span<char> to) = 0;
  /// How much of it has been read, from 0 to 1; nothing for a pipe.
  virtual std::optional<double> fraction_read() const = 0;
  /// Back to the first byte. Throws FileError for a pipe.
  virtual void rewind() = 0;
};

}  // namespace bisector::io
