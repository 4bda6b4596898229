// Tables in JSON: an object per line, or one array of objects.
#pragma once

#include <memory>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// The columns are the keys of all objects, in the order of their first occurrence. A key that an
/// object lacks and null are missing values. Lists and objects become text. The whole table is held
/// in memory. Throws FormatError with the line.
std::unique_ptr<DataReader> open_json(TextInput input);

}  // namespace bisector::io
