// The exceptions of the library. They derive from std::invalid_argument (the input is wrong) or
// std::runtime_error (a file or the machine failed): ValueError and RuntimeError in Python.
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
/// quote files and are shown in terminals and Python, so control characters and bytes that are not
/// UTF-8 are replaced.
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

/// A model whose data are not valid for its kind, such as gamma <= 0 or an empty pool.
class BISECTOR_EXPORT InvalidModel : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// A file whose content is not in the expected format. The message names the position.
class BISECTOR_EXPORT FormatError : public InvalidInput {
 public:
  /// `line` counts from one; zero if the file has no lines (a binary file).
  FormatError(std::string_view source, std::size_t line, std::string_view problem)
      : InvalidInput(located(source, line) + ": " + std::string(problem)) {}

 private:
  static std::string located(std::string_view source, std::size_t line) {
    return line == 0 ? std::string(source) : std::string(source) + ":" + std::to_string(line);
  }
};

/// A row of data that the model cannot use.
class BISECTOR_EXPORT InvalidRow : public InvalidInput {
 public:
  /// `row` counts from zero, the message from one.
  InvalidRow(std::size_t row, const std::string& problem)
      : InvalidInput("row " + std::to_string(row + 1) + ", " + problem),
        row_(row),
        problem_(problem) {}

  /// Counted from zero.
  std::size_t row() const { return row_; }
  /// What is wrong, without the row.
  const std::string& problem() const { return problem_; }
  /// The same error with `first` added to the row's number.
  InvalidRow shifted(std::size_t first) const { return InvalidRow(first + row_, problem_); }
  /// The same error with the name of the file in front.
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
