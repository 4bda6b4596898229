// Fixed limits. The limits that a user can raise are in bisector/limits.h; docs/limits.md lists all
// of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bisector/limits.h"

namespace bisector::io {

/// Entries of a bundle. The bundles that we write have about a dozen.
inline constexpr std::size_t kMaxArchiveEntries = 64;

/// Counts in a bundle (support vectors of a class, neighbors, class numbers): below this, so that
/// no sum of them can wrap around.
inline constexpr std::size_t kMaxCount = std::size_t{1} << 31;

/// Nested brackets of JSON text.
inline constexpr int kMaxMetaDepth = 32;

}  // namespace bisector::io
