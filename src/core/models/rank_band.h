// The ranks of a pool that share its responsibility.
#pragma once

#include <algorithm>
#include <cstddef>

namespace bisector::detail {

/// The first and last rank that share the responsibility, counted from one: q - kappa ... q + kappa
/// cut to the pool; its farthest point where the pool ends before the band begins.
struct Band {
  std::size_t first, last;
};

inline Band rank_band(std::size_t rank, std::size_t kappa, std::size_t pool_size) {
  // Compared by differences: a sum with a large kappa would wrap.
  const std::size_t last = rank < pool_size && kappa < pool_size - rank ? rank + kappa : pool_size;
  const std::size_t first = rank > kappa ? rank - kappa : 1;
  return {std::min(first, last), last};
}

}  // namespace bisector::detail
