// Files that are packed, read as what is in them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "bisector/limits.h"
#include "io/common/byte_source.h"

namespace bisector::io {

/// A file's bytes, unpacked where it begins like a gzip, bzip2, xz or zstd file; "-" is standard
/// input.
/// Throws FormatError where a few packed bytes become very many.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path, const Limits& limits);

/// Fills the span as far as there are bytes, and says how far that is.
std::size_t read_fully(ByteSource& source, std::span<char> to);

}  // namespace bisector::io
