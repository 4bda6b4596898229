// A description of a data file and its columns.
#pragma once

#include <filesystem>
#include <string>

#include "bisector/io/data_reader.h"

namespace bisector::cli {

/// As text or JSON, from the first 100,000 rows.
std::string data_description(const std::filesystem::path& path, const DataFormat& format,
                             bool json);

}  // namespace bisector::cli
