// The readers of text files of cells.
#pragma once

#include <memory>
#include <string>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// CSV separated by commas, semicolons, tabs, bars or blanks; quotes as in RFC 4180. Detects the
/// delimiter, the number of columns and whether the first row has names from the first rows. Throws
/// FormatError for a file without any row. `is_pipe`: rows may arrive slowly, so no row is waited
/// for without need.
std::unique_ptr<DataReader> open_csv(TextInput input, const DataFormat& format,
                                     bool is_pipe = false);

/// A table that was converted to CSV; see open_converted(). `summary` describes the original.
std::unique_ptr<DataReader> open_converted_csv(TextInput input, const std::string& source,
                                               std::string summary);

/// ARFF, Weka's format: attributes with names and types, then rows of cells. Reads everything up to
/// @data. Sparse rows are refused. Any column can be read as numbers, also a nominal one such as
/// {0,1}.
std::unique_ptr<DataReader> open_arff(TextInput input);

/// JSON: an object per line, or one array of objects. The columns are the keys of all objects, in
/// the order of their first occurrence. A key that an object lacks and null are missing values.
/// Lists and objects become text. The whole table is held in memory. Throws FormatError with the
/// line.
std::unique_ptr<DataReader> open_json(TextInput input);

}  // namespace bisector::io
