// Parquet and Arrow files, where Apache Arrow was there when the library was built.
#pragma once

#include <filesystem>
#include <memory>

#include "bisector/export.h"
#include "bisector/io/data_reader.h"

namespace bisector {

/// Opens a Parquet file, or an Arrow file or stream (Feather 2), as the table that a CSV of it
/// would be: categories, truth values and dates are text, a null or NaN is an empty cell, an index
/// of pandas comes first and has no name. Columns of lists, structures and bytes are left out, with
/// a note. Rows take the place of lines in messages. For DataFormat::open_columnar. Throws
/// FileError, and FormatError for a file that is damaged.
BISECTOR_EXPORT std::unique_ptr<DataReader> open_columnar(const std::filesystem::path& path,
                                                          const DataFormat& format);

}  // namespace bisector
