// How a file of data is read, and what its columns look like.
#pragma once

#include <filesystem>
#include <string>

#include "bisector/io/data_reader.h"

namespace bisector::cli {

/// For people, or as JSON. Looks at the first 100,000 rows.
std::string data_description(const std::filesystem::path& path, const DataFormat& format,
                             bool json);

}  // namespace bisector::cli
