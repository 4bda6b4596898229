// NPZ archives of data, as numpy.savez writes them.
#pragma once

#include <filesystem>
#include <memory>

#include "bisector/io/data_reader.h"

namespace bisector::io {

/// Reads the format's array; for an empty one "X", or the only array of numbers that has two
/// dimensions. A text array `feature_names` names its columns, and the format's target array, or
/// `y`, with one element for each row is the last column. Throws InvalidInput, listing the arrays,
/// if the choice fails.
std::unique_ptr<DataReader> open_npz(const std::filesystem::path& path, const DataFormat& format);

}  // namespace bisector::io
