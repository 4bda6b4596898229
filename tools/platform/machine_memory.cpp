#include "tools/platform/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <string>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace bisector::tools {
namespace {

#ifndef _WIN32
std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
             : UINT64_MAX;
}

/// MemAvailable of Linux, in bytes.
std::uint64_t free_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string name; in >> name;) {
    std::uint64_t kilobytes = 0;
    if (name == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024;
    std::getline(in, name);
  }
  return physical_memory();
}

std::uint64_t number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  return in >> value ? value : UINT64_MAX;
}

/// The memory that the limit of a container leaves.
std::uint64_t container_memory() {
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == UINT64_MAX || used == UINT64_MAX) return UINT64_MAX;
  return limit > used ? limit - used : 0;
}
#endif

}  // namespace

std::uint64_t available_memory() {
#ifdef _WIN32
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return ::GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : UINT64_MAX;
#else
  return std::min(free_memory(), container_memory());
#endif
}

}  // namespace bisector::tools
