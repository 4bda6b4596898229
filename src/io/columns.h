// The columns of a file in messages.
#pragma once

#include <string>

#include "bisector/io/data_reader.h"

namespace bisector::io {

/// `it has "a", "b" and 30 more`.
std::string columns_there(const DataReader& reader);

}  // namespace bisector::io
