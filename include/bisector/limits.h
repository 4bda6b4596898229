// Safety limits for files. Readers check them before they allocate memory, so that a small file
// cannot exhaust the machine; docs/limits.md explains each limit.
#pragma once

#include <cstdint>

namespace bisector {

/// The limits that a caller who trusts a file may raise.
struct Limits {
  /// Numbers in one array or matrix of a model, or in the rows of a sparse file in memory: fewer
  /// than this (16 GiB of doubles).
  std::uint64_t max_elements = std::uint64_t{1} << 31;
  /// Columns that a sparse file claims, and labels or names of a bundle.
  std::uint64_t max_features = 10'000'000;
  /// Bytes in memory or decompressed per byte of the file, above the sizes that every file may
  /// have (kFreeBytes, kFreeUnpackedBytes).
  std::uint64_t max_expansion = 1000;
  /// Decompressed bytes of an array of a model bundle.
  std::uint64_t max_unpacked_bytes = std::uint64_t{1} << 30;
  /// Characters of the JSON text in a bundle.
  std::uint64_t max_metadata_bytes = std::uint64_t{1} << 20;
  /// Bytes of a row of text.
  std::uint64_t max_row_bytes = std::uint64_t{256} << 20;

  /// Bytes of doubles, and decompressed bytes, that every file may have; `max_expansion` holds
  /// above. A short run of zeros is no attack.
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;
  static constexpr std::uint64_t kFreeUnpackedBytes = std::uint64_t{1} << 20;

  /// True if `packed` bytes may become `bytes`.
  constexpr bool allow_unpacking(std::uint64_t packed, std::uint64_t bytes) const {
    return bytes <= kFreeUnpackedBytes || is_within_expansion(packed, bytes);
  }
  /// True if `bytes` of a file may become a table of doubles. No shape overflows.
  constexpr bool allow_table(std::uint64_t bytes, std::uint64_t rows, std::uint64_t columns) const {
    if (columns > 0 && rows > (max_elements - 1) / columns) return false;
    const std::uint64_t wanted = rows * columns * sizeof(double);
    return wanted <= kFreeBytes || is_within_expansion(bytes, wanted);
  }

 private:
  constexpr bool is_within_expansion(std::uint64_t from, std::uint64_t to) const {
    return from > 0 && to / from < max_expansion;
  }
};

}  // namespace bisector
