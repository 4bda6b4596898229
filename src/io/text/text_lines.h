// Reading text that somebody else wrote from a stream: lines with their numbers, words, and numbers
// without locale.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace bisector::io {

/// The lines of a text, without their ending (LF or CR LF), with their numbers for messages.
class TextLines {
 public:
  TextLines(std::istream& in, std::string_view source) : in_(in), source_(source) {}

  /// Steps to the next line; false at the end. Throws FileError when reading fails.
  bool next();

  std::string_view text() const { return text_; }
  /// Of all lines so far, without their ends.
  std::uint64_t bytes() const { return bytes_; }
  /// Of the current line, from one; at the end that of the last line.
  std::size_t number() const { return number_; }

  /// Throws FormatError at the current line, or at another.
  [[noreturn]] void fail(std::string_view problem) const { fail_at(number_, problem); }
  [[noreturn]] void fail_at(std::size_t line, std::string_view problem) const;

 private:
  std::istream& in_;
  std::string source_, text_;
  std::size_t number_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Takes the next word off the front of `rest`; empty when there is none. Blanks and tabs part
/// words.
std::string_view next_word(std::string_view& rest);

/// The whole of `word` as a whole number, or nothing. A leading plus is allowed, as strtol allows
/// it.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Integer value{};
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// The whole of `word` as a finite number, or nothing.
std::optional<double> parse_finite(std::string_view word);

}  // namespace bisector::io
