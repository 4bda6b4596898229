// The range files of LIBSVM's svm-scale, which describe how training rows were scaled.
#pragma once

#include <cstddef>
#include <filesystem>

#include "bisector/affine_map.h"
#include "bisector/export.h"

namespace bisector {

/// The map that svm-scale -r applies to rows of `features` features. A feature that the file does
/// not list was constant in training and becomes zero. A section for the target is skipped.
/// Throws FileError, and FormatError with the line.
BISECTOR_EXPORT AffineMap read_svm_range(const std::filesystem::path& path, std::size_t features);

}  // namespace bisector
