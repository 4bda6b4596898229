// How much a file may ask for. docs/formats.md states these numbers; they are checked before memory
// is taken.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bisector {

/// Arrays stay below this many elements (16 GiB of doubles).
inline constexpr std::size_t kMaxElements = std::size_t{1} << 31;

/// The largest feature index of a LIBSVM model file.
inline constexpr std::uint32_t kLargestFeatureIndex = 10'000'000;

/// Entries of a bundle; a bundle of ours has about a dozen.
inline constexpr std::size_t kMaxArchiveEntries = 64;

/// A compressed entry may become this large, and at most this many times larger than it is in the
/// file; small ones are free of the ratio, since a short run of zeros is no attack. Entries that
/// are stored as they are need no such limit: they cannot be larger than the file.
inline constexpr std::uint64_t kMaxInflatedBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxInflationRatio = 1000;
inline constexpr std::uint64_t kFreeInflatedBytes = std::uint64_t{1} << 20;

/// Counts in a bundle (support vectors of a class, neighbours, class numbers): below this, so that
/// no sum of them can wrap around.
inline constexpr std::size_t kMaxCount = kMaxElements;

/// Labels and names in a bundle: each costs more in memory than in the file.
inline constexpr std::size_t kMaxTexts = 10'000'000;

/// The text of `meta`, in characters: the levels of a table's columns may be many.
inline constexpr std::size_t kMaxMetaCharacters = std::size_t{1} << 20;
inline constexpr int kMaxMetaDepth = 32;  // brackets within brackets

/// An ONNX file; protobuf itself allows no more.
inline constexpr std::uint64_t kMaxOnnxBytes = (std::uint64_t{1} << 31) - 1;
/// Nodes, their inputs, outputs and attributes, constants, and the graph's inputs and outputs: all
/// together. A model with a separate input for each of 100,000 columns stays well below.
inline constexpr std::size_t kMaxOnnxParts = 1'000'000;
inline constexpr std::size_t kMaxOnnxMetadata = 1000;
inline constexpr std::size_t kMaxOnnxDimensions = 8;
/// Columns that the inputs of an ONNX graph claim to have.
inline constexpr std::size_t kMaxOnnxColumns = 10'000'000;
/// Numbers of the matrix that the preprocessing of an ONNX graph comes to, where it has one.
inline constexpr std::size_t kMaxOnnxMatrix = std::size_t{1} << 26;
/// Nodes one behind the other in front of the SVM.
inline constexpr int kMaxOnnxDepth = 200;

/// Atoms of a molecule, and the bytes of a line of an XYZ text.
inline constexpr std::size_t kMaxAtoms = 100'000;
inline constexpr std::size_t kLongestXyzLine = std::size_t{1} << 20;

}  // namespace bisector
