// A file that is only in memory, for readers that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "property.h"

namespace bisector::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content)
      : descriptor_(::memfd_create("input", MFD_CLOEXEC)),
        path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    require(descriptor_ >= 0, "the machine has memory files");
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      require(written > 0, "a memory file takes what is written to it");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace bisector::fuzz
