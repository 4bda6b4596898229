#include "tools/platform/machine.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <string>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace bisector::tools {
namespace {

bool is_terminal(int stream) {
#ifdef _WIN32
  return ::_isatty(stream) != 0;
#else
  return ::isatty(stream) != 0;
#endif
}

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

bool is_output_a_terminal() { return is_terminal(1); }
bool is_error_a_terminal() { return is_terminal(2); }

void reopen_standard_streams() {
#ifndef _WIN32  // there no file gets the number of a closed stream
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // open() takes the lowest free number, which is this one.
    if (::open("/dev/null", O_RDONLY) != stream) return;
  }
#endif
}

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
