// Parquet and Arrow files, if the library was built with Apache Arrow.
#pragma once

#include <filesystem>
#include <memory>

#include "bisector/export.h"
#include "bisector/io/data_reader.h"

namespace bisector {

/// Opens a Parquet file, or an Arrow file or stream (Feather 2), like a CSV file with the same
/// table: categories, booleans and dates are text, null and NaN are empty cells, and an index of
/// pandas is the first column without a name. Columns of lists, structures and bytes are left out
/// with a note. Messages have rows instead of lines. For DataFormat::open_columnar. Throws
/// FileError, and FormatError for a damaged file.
BISECTOR_EXPORT std::unique_ptr<DataReader> open_columnar(const std::filesystem::path& path,
                                                          const DataFormat& format);

}  // namespace bisector
