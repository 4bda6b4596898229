// Parquet and Arrow files: by Apache Arrow where the command was built with it, else as the Python
// package has converted them.
#pragma once

#include "bisector/io/data_reader.h"

namespace bisector::cli {

/// What reads them here; null where nothing does.
decltype(DataFormat::open_columnar) columnar_reader();

}  // namespace bisector::cli
