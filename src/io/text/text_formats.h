// The reader of CSV files.
#pragma once

#include <memory>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// CSV separated by commas, semicolons, tabs, bars or blanks; quotes as in RFC 4180. Detects the
/// delimiter, the number of columns and whether the first row has names from the first rows. Throws
/// FormatError for a file without any row. `is_pipe`: rows may arrive slowly, so no row is waited
/// for without need.
std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format,
                                     bool is_pipe = false);

}  // namespace bisector::io
