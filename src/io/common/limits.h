// The limits that are no matter of judgement; those that are stand in bisector/limits.h, and
// docs/limits.md states them all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/limits.h"

namespace bisector::io {

/// Numbers in a list of an ONNX file.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 31;
/// Texts and whole numbers of a list in an ONNX file: each costs more in memory than in the file.
inline constexpr std::size_t kMaxListed = 10'000'000;

/// Entries of a bundle; a bundle of ours has about a dozen.
inline constexpr std::size_t kMaxArchiveEntries = 64;

/// Counts in a bundle (support vectors of a class, neighbors, class numbers): below this, so that
/// no sum of them can wrap around.
inline constexpr std::size_t kMaxCount = std::size_t{1} << 31;

/// JSON text: brackets within brackets.
inline constexpr int kMaxMetaDepth = 32;

/// An ONNX file; protobuf itself allows no more.
inline constexpr std::uint64_t kMaxOnnxBytes = (std::uint64_t{1} << 31) - 1;
inline constexpr std::size_t kMaxOnnxMetadata = 1000;
inline constexpr std::size_t kMaxOnnxDimensions = 8;
/// Nodes one behind the other in front of the model, which are followed by recursion.
inline constexpr int kMaxOnnxDepth = 200;

}  // namespace bisector::io
