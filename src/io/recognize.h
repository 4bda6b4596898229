// Which format a file of data has, by its content.
#pragma once

#include <filesystem>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Looks at the first part of the text, and at the name's ending only where that leaves a doubt.
/// Never returns automatic; what is nothing else is CSV. Throws FormatError for files that people
/// mistake for data: compressed ones, and text in UTF-16.
DataFormat::Kind recognize(TextInput& input, const std::filesystem::path& path);

}  // namespace bisector::io
