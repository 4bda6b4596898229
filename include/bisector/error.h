// What the library throws. Everything derives from std::invalid_argument (the caller's input is at
// fault) or std::runtime_error (the machine is), so that Python sees ValueError and RuntimeError.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bisector {

/// Input that cannot be used: a wrong shape, a NaN, an option that does not fit the model. Messages
/// quote files, and go to terminals: control characters in them are replaced.
class InvalidInput : public std::invalid_argument {
 public:
  explicit InvalidInput(std::string message)
      : std::invalid_argument(printable(std::move(message))) {}

 private:
  static std::string printable(std::string text) {
    for (char& c : text) {
      if (c == '\n') c = ' ';
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    }
    return text;
  }
};

/// A model that breaks a promise of its kind, such as gamma <= 0 or an empty pool.
class InvalidModel : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// A file whose content cannot be read as what it should be; says where.
class FormatError : public InvalidInput {
 public:
  /// `line` counts from one; zero when the place has no line (a binary file).
  FormatError(std::string_view source, std::size_t line, std::string_view problem)
      : InvalidInput(located(source, line) + ": " + std::string(problem)) {}

 private:
  static std::string located(std::string_view source, std::size_t line) {
    return line == 0 ? std::string(source) : std::string(source) + ":" + std::to_string(line);
  }
};

/// A file that cannot be opened, read to its end or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bisector
