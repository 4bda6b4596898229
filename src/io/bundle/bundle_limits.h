// Limits of the archive of a model bundle. The whole directory is checked before an entry is
// opened.
#pragma once

#include <cstdint>

#include "bisector/limits.h"
#include "io/arrays/zip_archive.h"

namespace bisector::io {

/// Throws FormatError for an archive of `file_size` bytes with too many entries, two of one name, a
/// name with a path, an entry that is neither stored nor deflated, or one beyond the limits.
void require_within_limits(const ZipArchive& archive, std::uint64_t file_size,
                           const Limits& limits);

}  // namespace bisector::io
