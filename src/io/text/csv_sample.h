// The first rows of a CSV file, looked at before any is read: what cuts the cells, and whether the
// first row is names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/io/data_reader.h"

namespace bisector::io {

using SampleRows = std::vector<std::vector<std::string>>;

/// How much of a file is looked at.
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 16;
inline constexpr std::size_t kSampleRows = 200;

/// The rows of `head` that are there in full, at most kSampleRows. `is_all`: nothing follows.
SampleRows sample_rows(std::string_view head, bool is_all, char delimiter);

/// What cuts the cells: the character that stands most often in the first row, outside quotes, and
/// cuts every row of the sample into as many cells; a comma where there is none.
char choose_delimiter(std::string_view first_row, std::string_view head, bool is_all);
/// By the first row alone, for pipes.
char sniff_delimiter(std::string_view first_row);

/// Is the first row names?
struct HeaderReading {
  bool is_header = false;
  std::string doubt;  // why it could be otherwise; empty where it is plain
};

/// `below`: the rows of the sample behind the first, none where nothing was looked at. Where the
/// row can be read both ways, the reading that loses no row is taken, and the doubt says so.
HeaderReading read_header(const std::vector<std::string>& first, const SampleRows& below,
                          const DataFormat& format);

/// True where a row settles the question by itself, so that no other has to be waited for: none of
/// its cells is text, and they do not count the columns.
bool is_plainly_data(const std::vector<std::string>& first);

/// True for 0, 1, ..., n-1 with n at least 3: what pandas writes above columns that nobody named.
bool is_counting(const std::vector<std::string>& cells);

/// True where every row of the sample has one cell more than the header: R's row names.
bool has_row_names(const std::vector<std::string>& header, const SampleRows& below);

/// True for "1,5" and "1.234,5": what a file with other delimiters than commas means as a number.
bool is_decimal_comma(std::string_view cell);

}  // namespace bisector::io
