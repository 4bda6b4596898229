// The rows of a CSV file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/text/text_input.h"

namespace bisector::io {

/// Tracks quotes over a row that may continue on the next line. A quote opens only at the start of
/// a cell; elsewhere it is an ordinary character.
class QuoteTracker {
 public:
  /// `delimiters`: the characters after which a cell starts.
  explicit QuoteTracker(std::string_view delimiters) : delimiters_(delimiters) {}
  /// Reads another piece of the row; true if the row continues after it.
  bool is_open_after(std::string_view piece);

 private:
  enum class Place { cell_start, plain, quoted, quote_in_quoted };
  Place after(char c) const;

  std::string_view delimiters_;
  Place place_ = Place::cell_start;
};

class CsvRecords {
 public:
  /// If the delimiter is not a comma, "1,5" becomes "1.5", unless `as_they_stand`.
  CsvRecords(TextInput input, char delimiter, bool as_they_stand = false);

  /// Reads the next row that has cells; false at the end.
  bool next();
  /// Goes past the next row, whatever its cells are; false at the end.
  bool skip();
  std::optional<double> fraction_read() const { return input_.fraction_read(); }
  /// The cells of the row, without quotes and escapes; valid until next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// The physical line in which the row starts.
  std::size_t line() const { return line_; }
  /// The following next() delivers the current row again.
  void hold() { is_held_ = true; }

 private:
  bool find_row();
  void leave_row();
  void split(std::span<char> row, bool has_quotes);
  void split_plain(std::string_view row);
  void split_quoted(std::span<char> row);
  void split_words(std::span<char> row);
  void make_decimal_points(std::span<char> row);
  std::string_view quoted_cell(std::span<char> row, std::size_t& at) const;

  TextInput input_;
  char delimiter_;
  bool as_they_stand_;
  std::vector<std::string_view> cells_;
  std::size_t line_ = 0;
  std::size_t row_bytes_ = 0, row_lines_ = 0;  // of the current row, still pending in input_
  bool is_held_ = false;
};

/// The first row of `input` that is not blank; blank lines before it are skipped. A quote may
/// follow any of the usual delimiters.
std::string_view first_row(TextInput& input);

}  // namespace bisector::io
