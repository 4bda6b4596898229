// Recognizing the format of a data file.
#pragma once

#include <filesystem>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Decides by the first part of the text, and by the file extension only in doubt; for the path "-"
/// by the first line. Never returns automatic; text of no other format is CSV. NPZ files and zip
/// archives are both zip. Throws FormatError for binary files of other kinds.
DataFormat::Kind recognize(TextInput& input, const std::filesystem::path& path);

}  // namespace bisector::io
