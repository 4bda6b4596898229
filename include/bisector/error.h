// What the library throws. Everything derives from std::invalid_argument (the caller's input is at
// fault) or std::runtime_error (the machine is), so that Python sees ValueError and RuntimeError.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bisector/export.h"

namespace bisector {

/// Input that cannot be used: a wrong shape, a NaN, an option that does not fit the model. Messages
/// quote files, and go to terminals and to Python: control characters, and bytes that are not
/// UTF-8, are replaced.
class BISECTOR_EXPORT InvalidInput : public std::invalid_argument {
 public:
  explicit InvalidInput(std::string message)
      : std::invalid_argument(printable(std::move(message))) {}

 private:
  static std::string printable(std::string text) {
    const bool is_text = is_utf8(text);
    for (char& c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\n')
        c = ' ';
      else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !is_text))
        c = '?';
    }
    return text;
  }
  static bool is_utf8(std::string_view text) {
    std::size_t missing = 0;           // of the bytes of a character
    unsigned low = 0x80, high = 0xBF;  // of the next of them
    for (const char c : text) {
      const unsigned byte = static_cast<unsigned char>(c);
      if (missing > 0) {
        if (byte < low || byte > high) return false;
        --missing;
        low = 0x80, high = 0xBF;
      } else if (byte >= 0x80) {
        if (byte < 0xC2 || byte > 0xF4) return false;
        missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
        // What could be written shorter, halves of surrogates, and codes beyond the last.
        if (byte == 0xE0 || byte == 0xF0) low = byte == 0xE0 ? 0xA0 : 0x90;
        if (byte == 0xED || byte == 0xF4) high = byte == 0xED ? 0x9F : 0x8F;
      }
    }
    return missing == 0;
  }
};

/// A model that breaks a promise of its kind, such as gamma <= 0 or an empty pool.
class BISECTOR_EXPORT InvalidModel : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// A file whose content cannot be read as what it should be; says where.
class BISECTOR_EXPORT FormatError : public InvalidInput {
 public:
  /// `line` counts from one; zero when the place has no line (a binary file).
  FormatError(std::string_view source, std::size_t line, std::string_view problem)
      : InvalidInput(located(source, line) + ": " + std::string(problem)) {}

 private:
  static std::string located(std::string_view source, std::size_t line) {
    return line == 0 ? std::string(source) : std::string(source) + ":" + std::to_string(line);
  }
};

/// A row of data that the model cannot take.
class BISECTOR_EXPORT InvalidRow : public InvalidInput {
 public:
  /// `row` counts from zero, the message from one.
  InvalidRow(std::size_t row, const std::string& problem)
      : InvalidInput("row " + std::to_string(row + 1) + ", " + problem),
        row_(row),
        problem_(problem) {}

  /// The same where the rows begin `first` rows later.
  InvalidRow shifted(std::size_t first) const { return InvalidRow(first + row_, problem_); }
  /// The same of `source`.
  FormatError in(std::string_view source, std::size_t first) const {
    return FormatError(source, 0, shifted(first).what());
  }

 private:
  std::size_t row_;
  std::string problem_;
};

/// A file that cannot be opened, read to its end or written.
class BISECTOR_EXPORT FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bisector
