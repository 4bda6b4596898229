// Files of the operating system by descriptor. A negative or empty result means an error, and errno
// has the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace bisector::io {

inline constexpr int kStandardInput = 0;

struct FileStatus {
  bool is_regular = false;
  std::uint64_t size = 0;
};

int open_for_reading(const std::filesystem::path& path);
void close_file(int descriptor);
/// The next bytes that are available; interrupted calls are repeated.
std::ptrdiff_t read_some(int descriptor, std::span<char> to);
/// The bytes at an offset, without changing the position of read_some().
std::ptrdiff_t read_some_at(int descriptor, std::uint64_t offset, std::span<char> to);
std::int64_t set_position(int descriptor, std::uint64_t offset);
std::int64_t position_of(int descriptor);
std::optional<FileStatus> status_of(int descriptor);

}  // namespace bisector::io
