// CSV: cells between commas, semicolons or tabs; quotes as in RFC 4180.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Reads the first row to learn the delimiter, the number of columns and whether it holds names.
/// Throws FormatError for a file without any row.
std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format);

/// The delimiter of a file by its first row: of ',', ';' and tab the one that stands most often
/// outside quotes, a comma where there is none.
char sniff_delimiter(std::string_view first_row);

/// True for a first row that names the columns: none of its cells is a number and some have text,
/// or the cells just count the columns (is_counting).
bool looks_like_header(const std::vector<std::string_view>& cells);

/// True for 0, 1, ..., n-1 with n at least 3: what pandas writes above columns that nobody named.
bool is_counting(const std::vector<std::string_view>& cells);

}  // namespace bisector::io
