// Products with a packed right-hand side, included by kernels.cpp once per instruction set: hence
// the guard that toggles.
#if defined(BISECTOR_SIMD_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_PRODUCT_INL_H_
#undef BISECTOR_SIMD_PRODUCT_INL_H_
#else
#define BISECTOR_SIMD_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/simd/kernels.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A block of kRows x kVectors accumulators stays in registers: 24 of 32 with AVX-512, 12 of 16
// below.
constexpr int kVectors = 3;
#if HWY_TARGET == HWY_AVX3
constexpr int kRows = 8;
#else
constexpr int kRows = 4;
#endif

// The rows of a panel that stay in the first-level cache while all rows of `a` use them.
template <class T>
constexpr std::size_t kDepthBlock = 24 * 1024 / (kPanelWidth<T> * sizeof(T));

/// The size of blocks of a depth. Blocks have about equal sizes: a short one would not last long
/// enough to prefetch a long one.
template <class T>
HWY_INLINE std::size_t depth_block(std::size_t depth) {
  const std::size_t blocks =
      std::max<std::size_t>((depth + kDepthBlock<T> - 1) / kDepthBlock<T>, 1);
  return std::max<std::size_t>((depth + blocks - 1) / blocks, 1);
}

/// Bytes that stay in a second-level cache while other data stream through it.
constexpr std::size_t kSecondLevel = 640 * 1024;

struct InnerProduct {
  template <class V>
  static HWY_INLINE V step(V a, V b, V sum) {
    return hn::MulAdd(a, b, sum);
  }
};

struct SquaredDistance {
  template <class V>
  static HWY_INLINE V step(V a, V b, V sum) {
    const V difference = hn::Sub(b, a);
    return hn::MulAdd(difference, difference, sum);
  }
};

struct AbsoluteDistance {
  template <class V>
  static HWY_INLINE V step(V a, V b, V sum) {
    return hn::Add(hn::Abs(hn::Sub(b, a)), sum);
  }
};

/// The rows of a panel, a vector at a time, as the right-hand side of a block.
template <class T>
struct PanelRows {
  const T* HWY_RESTRICT panel;

  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, std::size_t k, int v) const {
    return hn::LoadU(d, panel + k * kPanelWidth<T> + static_cast<std::size_t>(v) * hn::Lanes(d));
  }
};

/// A block of sums, rows x vectors. A local array of the kernels: compilers keep it in registers.
template <class T>
using Sum = hn::Vec<hn::ScalableTag<T>>;

/// Adds the products (or distances, see Step) of a block to sums that start from zero, or from `c`
/// if `accumulate`.
template <class Step, int rows, int vectors, class T, class Right>
HWY_INLINE void sum_block(const T* HWY_RESTRICT a, std::size_t a_stride, const Right& b,
                          std::size_t depth, const T* HWY_RESTRICT c, std::size_t c_stride,
                          bool accumulate, Sum<T> (&sum)[rows][vectors]) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v)
      sum[r][v] = accumulate ? hn::LoadU(d, c + r * c_stride + v * lanes) : hn::Zero(d);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    Sum<T> right[vectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) right[v] = b(d, k, v);
    BISECTOR_UNROLL(8)
    for (int r = 0; r < rows; ++r) {
      const auto left = hn::Set(d, a[r * a_stride + k]);
      BISECTOR_UNROLL(4)
      for (int v = 0; v < vectors; ++v) sum[r][v] = Step::step(left, right[v], sum[r][v]);
    }
  }
}

/// The same, with the sums written to `c`.
template <int rows, int vectors, class Step, class T, class Right>
HWY_INLINE void block(const T* HWY_RESTRICT a, std::size_t a_stride, const Right& b,
                      std::size_t depth, T* HWY_RESTRICT c, std::size_t c_stride, bool accumulate) {
  const hn::ScalableTag<T> d;
  Sum<T> sum[rows][vectors];
  sum_block<Step>(a, a_stride, b, depth, c, c_stride, accumulate, sum);
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], d, c + r * c_stride + v * hn::Lanes(d));
  }
}

/// Prefetches `bytes` bytes from `from` on into the second-level cache.
HWY_INLINE void fetch(const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const std::size_t into = reinterpret_cast<std::uintptr_t>(from) % kLine;  // a cache line
  const char* first = static_cast<const char*>(from) - into;
  for (std::size_t at = 0; at < bytes + into; at += kLine) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    __builtin_prefetch(first + at, 0, 2);
#else
    hwy::Prefetch(first + at);
#endif
  }
}

/// Prefetches the part of a panel that is read next, one share per block of rows.
struct PanelAhead {
  const char* next;
  std::size_t bytes;

  HWY_INLINE void operator()(std::size_t row, std::size_t rows) const {
    const std::size_t share = bytes * kRows / rows;
    fetch(next + row / kRows * share, share);
  }
};

/// All rows against `vectors` vectors of one panel: full blocks first, then the remaining rows.
/// Meanwhile the sums of the next rows and the data of `ahead` are prefetched, because the
/// processor does not predict the jump at the start of a strip. The first block reads `first`; if
/// that is not a panel, the block is full.
template <int vectors, class Step, class T, class First, class Ahead>
void strip(const T* a, std::size_t a_stride, std::size_t rows, const First& first,
           const PanelRows<T>& b, std::size_t depth, T* c, std::size_t c_stride, bool accumulate,
           const Ahead& ahead) {
  const std::size_t width = vectors * hn::Lanes(hn::ScalableTag<T>()) * sizeof(T);
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    ahead(r, rows);
    const std::size_t below = accumulate ? std::min<std::size_t>(r + 2 * kRows, rows) : 0;
    for (std::size_t i = r + kRows; i < below; ++i) fetch(c + i * c_stride, width);
    if (!std::is_same_v<First, PanelRows<T>> && r == 0)
      block<kRows, vectors, Step>(a, a_stride, first, depth, c, c_stride, accumulate);
    else
      block<kRows, vectors, Step>(a + r * a_stride, a_stride, b, depth, c + r * c_stride, c_stride,
                                  accumulate);
  }
  for (; r + 2 <= rows; r += 2)
    block<2, vectors, Step>(a + r * a_stride, a_stride, b, depth, c + r * c_stride, c_stride,
                            accumulate);
  if (r < rows)
    block<1, vectors, Step>(a + r * a_stride, a_stride, b, depth, c + r * c_stride, c_stride,
                            accumulate);
}

/// A strip as wide as the remaining `columns`, three vectors at most.
template <class Step, class T, class First, class Ahead>
HWY_INLINE void run_strip(std::size_t columns, const T* a, std::size_t a_stride, std::size_t rows,
                          const First& first, const T* b, std::size_t depth, T* c,
                          std::size_t c_stride, bool accumulate, const Ahead& ahead) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const auto run = columns > 2 * lanes ? &strip<3, Step, T, First, Ahead>
                   : columns > lanes   ? &strip<2, Step, T, First, Ahead>
                                       : &strip<1, Step, T, First, Ahead>;
  run(a, a_stride, rows, first, PanelRows<T>{b}, depth, c, c_stride, accumulate, ahead);
}

/// The address of row `k` and column `n`, the first of a vector, in a packed right-hand side.
template <class T>
HWY_INLINE const T* packed_at(const T* b, std::size_t panel_stride, std::size_t k, std::size_t n) {
  return b + n / kPanelWidth<T> * panel_stride + k * kPanelWidth<T> + n % kPanelWidth<T>;
}

/// Calls run(k, count, n, right, ahead) for every block of a depth, `count` rows from row k on, and
/// every strip of columns from n on, where `right` is its part of the panel and `ahead` prefetches
/// the part that follows. Every strip sees the blocks of the depth in their order.
template <class T, class Run>
HWY_INLINE void for_each_strip(std::size_t rows, const T* b, std::size_t panel_stride,
                               std::size_t depth, std::size_t columns, const Run& run) {
  const std::size_t deep = depth_block<T>(depth);
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  const auto part = [&](std::size_t k, std::size_t n)
                        HWY_ATTR { return packed_at(b, panel_stride, k, n); };
  const auto visit = [&](std::size_t k, std::size_t n, const T* next) HWY_ATTR {
    const std::size_t count = std::min(depth - k, deep);
    run(k, count, n, part(k, n),
        PanelAhead{reinterpret_cast<const char*>(next), count * kPanelWidth<T> * sizeof(T)});
  };
  // The left-hand side stays in the second-level cache while the panels stream through it, and the
  // strip of sums in the first. If it is too large, a block of its columns stays.
  if (rows * depth * sizeof(T) <= kSecondLevel) {
    for (std::size_t n = 0; n < columns; n += width) {
      const T* aside = n + width < columns ? part(0, n + width) : b;
      for (std::size_t k = 0; k < depth; k += deep)
        visit(k, n, k + deep < depth ? part(k + deep, n) : aside);
    }
  } else {
    for (std::size_t k = 0; k < depth; k += deep) {
      const T* below = k + deep < depth ? part(k + deep, 0) : b;
      for (std::size_t n = 0; n < columns; n += width)
        visit(k, n, n + width < columns ? part(k, n + width) : below);
    }
  }
}

template <class Step, class T>
void product(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
             std::size_t panel_stride, std::size_t depth, std::size_t columns, T* c,
             std::size_t c_stride, bool accumulate) {
  for_each_strip(rows, b, panel_stride, depth, columns,
                 [&](std::size_t k, std::size_t count, std::size_t n, const T* right,
                     const PanelAhead& ahead) HWY_ATTR {
                   run_strip<Step>(columns - n, a + k, a_stride, rows, PanelRows<T>{right}, right,
                                   count, c + n, c_stride, accumulate || k > 0, ahead);
                 });
}

/// Rows against one unit of columns. Numbers and categories go feature by feature, so that every
/// sum is that of a plain loop.
template <int rows, class T>
HWY_INLINE void category_block(const T* HWY_RESTRICT a, std::size_t a_stride,
                               const T* HWY_RESTRICT b, std::size_t depth,
                               const T* HWY_RESTRICT categories, T* HWY_RESTRICT c,
                               std::size_t c_stride) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const PanelRows<T> right{b};
  hn::Vec<decltype(d)> sum[rows][kVectors];
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  }
  const auto add = [&](std::size_t k, const auto& part) HWY_ATTR {
    BISECTOR_UNROLL(8)
    for (int r = 0; r < rows; ++r) {
      const auto left = hn::Set(d, a[r * a_stride + k]);
      BISECTOR_UNROLL(4)
      for (int v = 0; v < kVectors; ++v)
        sum[r][v] = hn::Add(sum[r][v], part(hn::Sub(right(d, k, v), left)));
    }
  };
  for (std::size_t k = 0; k < depth; ++k) {
    const auto weight = hn::Set(d, categories[k]);
    if (categories[k] > T{0})
      add(k, [&](auto t) HWY_ATTR { return hn::IfThenZeroElse(hn::Eq(t, hn::Zero(d)), weight); });
    else
      add(k, [&](auto t) HWY_ATTR { return hn::Abs(t); });
  }
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], d, c + r * c_stride + v * lanes);
  }
}

template <class T>
void category_distances(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                        std::size_t panel_stride, std::size_t depth, std::size_t columns,
                        const T* categories, T* c, std::size_t c_stride) {
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t n = 0; n < columns; n += width) {
    const T* right = packed_at(b, panel_stride, 0, n);
    std::size_t r = 0;
    for (; r + 4 <= rows; r += 4)
      category_block<4>(a + r * a_stride, a_stride, right, depth, categories, c + r * c_stride + n,
                        c_stride);
    for (; r < rows; ++r)
      category_block<1>(a + r * a_stride, a_stride, right, depth, categories, c + r * c_stride + n,
                        c_stride);
  }
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
