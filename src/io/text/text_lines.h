// Reading text from a stream: lines with their numbers, words, and numbers independent of locale.
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

/// The lines of a text without their ends (LF or CR LF), with their numbers for messages.
class TextLines {
 public:
  TextLines(std::istream& in, std::string_view source) : in_(in), source_(source) {}

  /// Reads the next line; false at the end. Throws FileError if reading fails.
  bool next();

  std::string_view text() const { return text_; }
  /// The bytes of all lines so far, without their ends.
  std::uint64_t bytes() const { return bytes_; }
  /// The number of the current line, from one; at the end that of the last line.
  std::size_t number() const { return number_; }

  /// Throws FormatError for the current line, or for another one.
  [[noreturn]] void fail(std::string_view problem) const { fail_at(number_, problem); }
  [[noreturn]] void fail_at(std::size_t line, std::string_view problem) const;

 private:
  std::istream& in_;
  std::string source_, text_;
  std::size_t number_ = 0;
  std::uint64_t bytes_ = 0;
};

/// The whole word as an integer, or nothing. A leading plus is allowed, as in strtol.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Integer value{};
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// The whole word as a finite number, or nothing.
std::optional<double> parse_finite(std::string_view word);

}  // namespace bisector::io
