// ARFF, Weka's format: attributes with names and types, then rows of cells.
#pragma once

#include <memory>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"

namespace bisector::io {

/// Reads everything up to @data. Rows are dense; sparse ones are refused. Numbers are taken from
/// whatever columns are asked for numbers, so a nominal {0,1} serves too.
std::unique_ptr<DataReader> open_arff(TextInput input);

}  // namespace bisector::io
