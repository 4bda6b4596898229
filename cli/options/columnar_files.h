// Parquet and Arrow files: read by Apache Arrow if the command was built with it, otherwise
// converted by the Python package.
#pragma once

#include "bisector/io/data_reader.h"

namespace bisector::cli {

/// The reader of these files, or null.
decltype(DataFormat::open_columnar) columnar_reader();

}  // namespace bisector::cli
