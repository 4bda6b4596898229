// Text read in blocks and used in place: the readers of CSV and LIBSVM data split lines inside
// the block, so that no cell is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bisector/limits.h"
#include "io/common/input_file.h"

namespace bisector::io {

/// The text of a file without its byte order mark. Lines end with "\n" or "\r\n"; in a file that
/// ends its lines with "\r", these are replaced by "\n".
class TextInput {
 public:
  /// `longest_row`: the limit of the pending text; `block`: the first buffer size, at least one
  /// byte.
  explicit TextInput(std::unique_ptr<ByteSource> bytes,
                     std::uint64_t longest_row = Limits{}.max_row_bytes,
                     std::size_t block = std::size_t{1} << 20);
  explicit TextInput(InputFile file, std::uint64_t longest_row = Limits{}.max_row_bytes,
                     std::size_t block = std::size_t{1} << 20)
      : TextInput(std::make_unique<InputFile>(std::move(file)), longest_row, block) {}

  const std::string& source() const { return bytes_->source(); }
  /// The line in which pending() starts, counted from one.
  std::size_t line() const { return line_; }
  /// The text in memory that was not consumed yet. It is valid until more(), line_end() or rewind()
  /// and may be changed, for example to unescape it.
  std::span<char> pending() { return {buffer_.get() + begin_, end_ - begin_}; }
  std::string_view pending_text() { return {buffer_.get() + begin_, end_ - begin_}; }
  /// The first `bytes` of pending(), or the rest of the file; reads as much as needed.
  std::string_view head(std::size_t bytes);
  /// Reads more text after pending(); false at the end of the file. Throws FormatError if a row is
  /// too long.
  bool more();
  /// The end of the line of pending()[from]: the offset after its '\n', or pending().size() at the
  /// end of the file. Reads as much as needed.
  std::size_t line_end(std::size_t from = 0);
  /// Consumes `bytes` of pending() that have `lines` line ends.
  void skip(std::size_t bytes, std::size_t lines);
  /// The rest of the text, which is consumed.
  std::string take_rest();
  /// The fraction read into memory; nothing for a pipe.
  std::optional<double> fraction_read() const { return bytes_->fraction_read(); }
  /// Back to the beginning. Throws FileError for a pipe.
  void rewind();

 private:
  void start();
  void make_room();

  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t longest_row_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, end_ = 0, line_ = 1;
  bool ends_lines_by_cr_ = false;
};

// These functions are inline, because they run for every line and every cell.

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without the line end, "\n" or "\r\n".
constexpr std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Without blanks and tabs at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the next word off the front of `rest`, and the blanks before it; empty at the end.
constexpr std::string_view take_word(std::string_view& rest) {
  std::size_t start = 0;
  while (start < rest.size() && is_blank(rest[start])) ++start;
  std::size_t end = start;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view word = rest.substr(start, end - start);
  rest.remove_prefix(end);
  return word;
}

/// The lines of a text, used in place one after the other.
class InputLines {
 public:
  explicit InputLines(TextInput input) : input_(std::move(input)) {}

  /// Goes to the next line; false at the end.
  bool next() {
    input_.skip(std::exchange(bytes_, 0), std::exchange(lines_, 0));
    bytes_ = input_.line_end();
    lines_ = 1;
    return bytes_ > 0;
  }
  /// The line without its end.
  std::string_view text() { return without_line_end(input_.pending_text().substr(0, bytes_)); }
  /// The length of the line with its end.
  std::size_t bytes() const { return bytes_; }
  /// The number of the line, counted from one.
  std::size_t number() const { return input_.line(); }
  const std::string& source() const { return input_.source(); }
  std::optional<double> fraction_read() const { return input_.fraction_read(); }
  void rewind() {
    input_.rewind();
    bytes_ = lines_ = 0;
  }

 private:
  TextInput input_;
  std::size_t bytes_ = 0, lines_ = 0;
};

}  // namespace bisector::io
