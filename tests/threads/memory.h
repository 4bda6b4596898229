// How much memory the process has.
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace bisector::threads {

struct Memory {
  std::size_t resident;  // bytes, as the system sees it
  std::size_t in_use;    // bytes that are allocated and not freed
};

inline Memory memory_now() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const struct mallinfo2 heap = ::mallinfo2();
  return {resident * page, heap.uordblks + heap.hblkhd};
}

}  // namespace bisector::threads
