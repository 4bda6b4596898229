// A sample of the first rows of a CSV file, from which the delimiter and the presence of names are
// detected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/io/data_reader.h"

namespace bisector::io {

using SampleRows = std::vector<std::vector<std::string>>;

/// The sample is the first bytes of the file, or the first wide rows if these are longer.
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 16;
inline constexpr std::size_t kSampleWideRows = 4;
inline constexpr std::size_t kSampleRows = 200;

/// The complete rows of `head`, at most kSampleRows. `is_all`: `head` is the whole file.
SampleRows sample_rows(std::string_view head, bool is_all, char delimiter);

/// The delimiter: the most frequent candidate in the first row outside quotes that splits every row
/// of the sample into the same number of cells; a comma if there is none.
char choose_delimiter(std::string_view first_row, std::string_view head, bool is_all);
/// The delimiter by the first row only, for pipes.
char sniff_delimiter(std::string_view first_row);

/// Whether the first row has names.
struct HeaderReading {
  bool is_header = false;
  std::string doubt;  // why it could be otherwise; empty if it is clear
};

/// `below`: the other rows of the sample, if there are any. An ambiguous row is read as data, so
/// that no row is lost, and the doubt says why.
HeaderReading read_header(const std::vector<std::string>& first, const SampleRows& below,
                          const DataFormat& format);

/// True if the row alone shows that it is data: no cell is text, and the cells do not number the
/// columns.
bool is_plainly_data(const std::vector<std::string>& first);

/// True for 0, 1, ..., n-1 with n at least 3, which pandas writes above columns without names.
bool is_counting(const std::vector<std::string>& cells);

/// True if every row of the sample has one cell more than the header: row names of R.
bool has_row_names(const std::vector<std::string>& header, const SampleRows& below);

/// True for "1,5" and "1.234,5", which are numbers in a file whose delimiter is not a comma.
bool is_decimal_comma(std::string_view cell);

}  // namespace bisector::io
