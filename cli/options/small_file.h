// Small text files, read as a whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bisector/limits.h"

namespace bisector::cli {

/// The text of a file of at most 64 MB. Throws FormatError, which ends with `expected`, for a
/// larger one.
std::string read_small_file(const std::filesystem::path& path, const Limits& limits,
                            std::string_view expected);

}  // namespace bisector::cli
