// Lists the small entries of a vector. Included once per instruction set, hence the guard that
// toggles.
#if defined(BISECTOR_SIMD_HITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_HITS_INL_H_
#undef BISECTOR_SIMD_HITS_INL_H_
#else
#define BISECTOR_SIMD_HITS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/simd/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Appends the lanes of `value` that are at most `limit`; returns the end of the hits.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE Hit<T>* append_hits(D d, hn::Vec<D> value, T limit, std::size_t row, std::size_t column,
                               Hit<T>* hits) {
  const auto small = hn::Le(value, hn::Set(d, limit));
  if (hn::AllFalse(d, small)) return hits;
  HWY_ALIGN T values[hn::MaxLanes(d)];
  hn::Store(value, d, values);
  std::uint8_t bytes[8] = {};  // one bit per lane, the first lane lowest
  hn::StoreMaskBits(d, small, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    *hits++ = {values[lane], static_cast<std::uint32_t>(row),
               static_cast<std::uint32_t>(column + lane)};
  }
  return hits;
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
