// What the library throws. Everything derives from std::invalid_argument (the caller's input is at
// fault) or std::runtime_error (the machine is), so that Python sees ValueError and RuntimeError.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bisector/export.h"
#include "bisector/text.h"

namespace bisector {

/// Input that cannot be used: a wrong shape, a NaN, an option that does not fit the model. Messages
/// quote files, and go to terminals and to Python: control characters, and bytes that are not
/// UTF-8, are replaced.
class BISECTOR_EXPORT InvalidInput : public std::invalid_argument {
 public:
  explicit InvalidInput(std::string message)
      : std::invalid_argument(printable(on_one_line(std::move(message)))) {}

 private:
  static std::string on_one_line(std::string text) {
    for (char& c : text) {
      if (c == '\n') c = ' ';
    }
    return text;
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
