// Rows of neighbor models that stay in a file, because they are too many for the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// The rows of an .npy file of float32 in C order, which NeighborModel and NeighborRegressor take
/// as their points. The file must not change while they are used. Throws FormatError or FileError.
BISECTOR_EXPORT SharedMatrix rows_in_file(const std::filesystem::path& path);

/// The same for rows * cols floats in this machine's byte order, from byte `offset` of a file on.
BISECTOR_EXPORT SharedMatrix rows_in_file(const std::filesystem::path& path, std::uint64_t offset,
                                          std::size_t rows, std::size_t cols);

}  // namespace bisector
