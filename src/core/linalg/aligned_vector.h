// A std::vector whose elements start on a cache line, for the operands of the vector kernels. Large
// ones ask for huge pages: a packed matrix is read panel by panel, and every panel is on other
// pages. Elements without an initial value are left as they are: workspaces are written before they
// are read, and zeros would cost as much as a pass over them.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "core/util/memory.h"

namespace bisector::linalg {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64}, kHugePage{std::size_t{2} << 20};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* memory = ::operator new(bytes, alignment_of(bytes));
    if (alignment_of(bytes) == kHugePage) util::advise_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* pointer, std::size_t n) {
    ::operator delete(pointer, alignment_of(n * sizeof(T)));
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0)
      ::new (static_cast<void*>(place)) U;
    else
      ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
  bool operator==(const CacheLineAllocator&) const { return true; }

 private:
  static std::align_val_t alignment_of(std::size_t bytes) {
    return bytes >= 2 * static_cast<std::size_t>(kHugePage) ? kHugePage : kAlignment;
  }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace bisector::linalg
