// ARFF, Weka's format: attributes with names and types, then rows of cells.
#pragma once

#include <memory>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Reads everything up to @data. Sparse rows are refused. Any column can be read as numbers, also a
/// nominal one such as {0,1}.
std::unique_ptr<DataReader> open_arff(TextInput input);

}  // namespace bisector::io
