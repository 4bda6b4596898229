// Fixed limits. The limits that a user can raise are in bisector/limits.h; docs/limits.md lists all
// of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/limits.h"

namespace bisector::io {

/// Numbers in a list of an ONNX file.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 31;
/// Texts and whole numbers of a list in an ONNX file: they need more memory than bytes in the file.
inline constexpr std::size_t kMaxListed = 10'000'000;

/// Entries of a bundle. The bundles that we write have about a dozen.
inline constexpr std::size_t kMaxArchiveEntries = 64;

/// Counts in a bundle (support vectors of a class, neighbors, class numbers): below this, so that
/// no sum of them can wrap around.
inline constexpr std::size_t kMaxCount = std::size_t{1} << 31;

/// Nested brackets of JSON text.
inline constexpr int kMaxMetaDepth = 32;

/// Bytes of an ONNX file. Protobuf allows no more.
inline constexpr std::uint64_t kMaxOnnxBytes = (std::uint64_t{1} << 31) - 1;
inline constexpr std::size_t kMaxOnnxMetadata = 1000;
inline constexpr std::size_t kMaxOnnxDimensions = 8;
/// Nodes in a chain before the model. The reader follows them by recursion.
inline constexpr int kMaxOnnxDepth = 200;

}  // namespace bisector::io
