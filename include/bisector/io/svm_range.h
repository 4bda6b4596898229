// The range files of LIBSVM's svm-scale: how the rows were scaled that a model was trained on.
#pragma once

#include <cstddef>
#include <filesystem>

#include "bisector/affine_map.h"
#include "bisector/export.h"

namespace bisector {

/// The map that svm-scale -r applies, for rows of `features` features. A feature that the file does
/// not list was constant in training, and says nothing. A section for the target is passed over.
/// Throws FileError, and FormatError with the line.
BISECTOR_EXPORT AffineMap read_svm_range(const std::filesystem::path& path, std::size_t features);

}  // namespace bisector
