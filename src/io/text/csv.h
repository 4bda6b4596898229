// CSV: cells between commas, semicolons, tabs, bars or blanks; quotes as in RFC 4180.
#pragma once

#include <memory>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Looks at the first rows to learn the delimiter, the number of columns and whether the first one
/// holds names. Throws FormatError for a file without any row.
/// `is_pipe`: rows may come slowly, so none is waited for that is not needed.
std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format,
                                     bool is_pipe = false);

/// A table that another program made CSV of; see open_converted().
std::unique_ptr<DataReader> open_converted_csv(TextInput input, const std::string& source);

}  // namespace bisector::io
