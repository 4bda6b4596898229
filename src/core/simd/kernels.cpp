// Compiled once per instruction set by Highway's foreach_target; the choice of a level is in
// dispatch-inl.h.
#include "core/simd/kernels.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/kernels.cpp"
#include "core/simd/targets.h"
//
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "core/simd/exponential-inl.h"
#include "core/simd/hits-inl.h"
#include "core/simd/kernel_forms-inl.h"
#include "core/simd/moments-inl.h"
#include "core/simd/power-inl.h"
#include "core/simd/product-inl.h"
#include "core/simd/shapley-inl.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
T scale_and_max(T* HWY_RESTRICT t, const T* HWY_RESTRICT bias, T scale, std::size_t n) {
  const hn::ScalableTag<T> d;
  const auto factor = hn::Set(d, scale);
  auto largest = hn::Set(d, hwy::LowestValue<T>());
  for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
    const auto value = hn::MulAdd(hn::LoadU(d, t + k), factor, hn::LoadU(d, bias + k));
    hn::StoreU(value, d, t + k);
    largest = hn::Max(largest, value);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <class T>
T blend_and_max(const T* HWY_RESTRICT x, T a, const T* HWY_RESTRICT y, T b,
                const T* HWY_RESTRICT bias, T* HWY_RESTRICT t, std::size_t n) {
  const hn::ScalableTag<T> d;
  const auto of_x = hn::Set(d, a), of_y = hn::Set(d, b);
  auto largest = hn::Set(d, hwy::LowestValue<T>());
  for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
    const auto rest = hn::MulAdd(hn::LoadU(d, y + k), of_y, hn::LoadU(d, bias + k));
    const auto value = hn::MulAdd(hn::LoadU(d, x + k), of_x, rest);
    hn::StoreU(value, d, t + k);
    largest = hn::Max(largest, value);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <class T>
T exp_and_sum(T* HWY_RESTRICT t, T shift, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto down = hn::Set(d, shift);
  // Three independent chains hide the latency; a panel is a multiple of three vectors.
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d);
  for (std::size_t k = 0; k < n; k += 3 * lanes) {
    const auto e0 = exponential(d, hn::Sub(hn::LoadU(d, t + k), down));
    const auto e1 = exponential(d, hn::Sub(hn::LoadU(d, t + k + lanes), down));
    const auto e2 = exponential(d, hn::Sub(hn::LoadU(d, t + k + 2 * lanes), down));
    hn::StoreU(e0, d, t + k);
    hn::StoreU(e1, d, t + k + lanes);
    hn::StoreU(e2, d, t + k + 2 * lanes);
    sum0 = hn::Add(sum0, e0);
    sum1 = hn::Add(sum1, e1);
    sum2 = hn::Add(sum2, e2);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), sum2)));
}

/// The arguments of find_small that stay the same from block to block.
template <class T>
struct Find {
  const T* a;
  std::size_t a_stride, rows;
  const T* bias;
  const T* limits;
  const T* partial;
  std::size_t partial_stride;
  bool accumulate;
};

/// The hits of `rows` rows from `row` on and of one unit of columns from `column` on.
template <int rows, class T>
HWY_INLINE Hit<T>* find_block(const Find<T>& find, std::size_t row, std::size_t column,
                              const T* HWY_RESTRICT b, std::size_t depth, Hit<T>* hits) {
  const hn::ScalableTag<T> d;
  Sum<T> sum[rows][kVectors];
  sum_block<InnerProduct>(find.a + row * find.a_stride, find.a_stride, PanelRows<T>{b}, depth,
                          find.partial + row * find.partial_stride + column, find.partial_stride,
                          find.accumulate, sum);
  const std::size_t lanes = hn::Lanes(d);
  const auto minus_two = hn::Set(d, T{-2});
  Sum<T> bias[kVectors];
  BISECTOR_UNROLL(4)
  for (int v = 0; v < kVectors; ++v) bias[v] = hn::LoadU(d, find.bias + column + v * lanes);
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    Sum<T> value[kVectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) value[v] = hn::MulAdd(sum[r][v], minus_two, bias[v]);
    const T limit = find.limits[row + static_cast<std::size_t>(r)];
    const auto smallest = hn::Min(hn::Min(value[0], value[1]), value[2]);
    if (HWY_LIKELY(hn::AllFalse(d, hn::Le(smallest, hn::Set(d, limit))))) continue;
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kVectors; ++v)
      hits = append_hits(d, value[v], limit, row + static_cast<std::size_t>(r), column + v * lanes,
                         hits);
  }
  return hits;
}

/// The hits of all rows in one strip of columns, by the last block of the depth.
template <class T>
HWY_INLINE Hit<T>* find_strip(const Find<T>& find, std::size_t column, const T* right,
                              std::size_t depth, const PanelAhead& ahead, Hit<T>* hits) {
  std::size_t r = 0;
  for (; r + kRows <= find.rows; r += kRows) {
    ahead(r, find.rows);
    hits = find_block<kRows>(find, r, column, right, depth, hits);
  }
  for (; r + 2 <= find.rows; r += 2) hits = find_block<2>(find, r, column, right, depth, hits);
  if (r < find.rows) hits = find_block<1>(find, r, column, right, depth, hits);
  return hits;
}

template <class T>
std::size_t find_small(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                       std::size_t panel_stride, std::size_t depth, std::size_t columns,
                       const T* bias, const T* limits, T* partial, Hit<T>* hits) {
  Hit<T>* next = hits;
  for_each_strip(
      rows, b, panel_stride, depth, columns,
      [&](std::size_t k, std::size_t count, std::size_t n, const T* right, const PanelAhead& ahead)
          HWY_ATTR {
            const PanelRows<T> panel{right};
            if (k + count < depth)
              strip<kVectors, InnerProduct>(a + k, a_stride, rows, panel, panel, count, partial + n,
                                            columns, k > 0, ahead);
            else
              next = find_strip<T>({a + k, a_stride, rows, bias, limits, partial, columns, k > 0},
                                   n, right, count, ahead, next);
          });
  return static_cast<std::size_t>(next - hits);
}

template <class T>
std::size_t find_small_blend(const T* HWY_RESTRICT x, T a, const T* HWY_RESTRICT y, T b,
                             const T* HWY_RESTRICT bias, T limit, std::size_t n, Hit<T>* hits) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto of_x = hn::Set(d, a), of_y = hn::Set(d, b), most = hn::Set(d, limit);
  const auto value_at = [&](std::size_t k) HWY_ATTR {
    const auto rest = hn::MulAdd(hn::LoadU(d, y + k), of_y, hn::LoadU(d, bias + k));
    return hn::MulAdd(hn::LoadU(d, x + k), of_x, rest);
  };
  Hit<T>* next = hits;
  // A panel is a multiple of three vectors, and few of them have a hit.
  for (std::size_t k = 0; k < n; k += 3 * lanes) {
    const auto v0 = value_at(k), v1 = value_at(k + lanes), v2 = value_at(k + 2 * lanes);
    if (HWY_LIKELY(hn::AllFalse(d, hn::Le(hn::Min(hn::Min(v0, v1), v2), most)))) continue;
    next = append_hits(d, v0, limit, 0, k, next);
    next = append_hits(d, v1, limit, 0, k + lanes, next);
    next = append_hits(d, v2, limit, 0, k + 2 * lanes, next);
  }
  return static_cast<std::size_t>(next - hits);
}

template <class T>
void sum_moments(const T* const* points, std::size_t count, const T* HWY_RESTRICT center,
                 std::size_t n, T* HWY_RESTRICT first, T* HWY_RESTRICT second) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const auto sum_at = [&](auto d, std::size_t k) HWY_ATTR {
    const auto c = hn::LoadU(d, center + k);
    auto sum = hn::Zero(d), sum_of_squares = hn::Zero(d);
    for (std::size_t i = 0; i < count; ++i) {
      const auto difference = hn::Sub(hn::LoadU(d, points[i] + k), c);
      sum = hn::Add(sum, difference);
      // Not fused, so that all levels agree to the last bit.
      sum_of_squares = hn::Add(sum_of_squares, hn::Mul(difference, difference));
    }
    hn::StoreU(sum, d, first + k);
    hn::StoreU(sum_of_squares, d, second + k);
  };
  std::size_t k = 0;
  for (; k + hn::Lanes(wide) <= n; k += hn::Lanes(wide)) sum_at(wide, k);
  for (; k < n; ++k) sum_at(single, k);
}

/// Eight sums side by side, not fused: the bits of the plain loop of linalg::squared_distance.
template <class T>
T squared_distance(const T* HWY_RESTRICT x, const T* HWY_RESTRICT y, std::size_t n) {
  constexpr std::size_t kSums = 8;
  const hn::CappedTag<T, kSums> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr int kParts = kSums / kLanes;
  hn::Vec<decltype(d)> sum[kParts];
  BISECTOR_UNROLL(8)
  for (int v = 0; v < kParts; ++v) sum[v] = hn::Zero(d);
  std::size_t k = 0;
  for (; k + kSums <= n; k += kSums) {
    BISECTOR_UNROLL(8)
    for (int v = 0; v < kParts; ++v) {
      const std::size_t at = k + static_cast<std::size_t>(v) * kLanes;
      const auto difference = hn::Sub(hn::LoadU(d, x + at), hn::LoadU(d, y + at));
      sum[v] = hn::Add(sum[v], hn::Mul(difference, difference));
    }
  }
  std::array<T, kSums> sums;
  for (int v = 0; v < kParts; ++v)
    hn::StoreU(sum[v], d, sums.data() + static_cast<std::size_t>(v) * kLanes);
  for (std::size_t l = 0; k < n; ++k, ++l) sums[l] += (x[k] - y[k]) * (x[k] - y[k]);
  T total = T{0};
  for (const T part : sums) total += part;
  return total;
}

template <class T>
constexpr Kernels<T> table() {
  return {&product<InnerProduct, T>,
          &product<SquaredDistance, T>,
          &product<AbsoluteDistance, T>,
          &category_distances<T>,
          &power_distances<T>,
          sizeof(T) == 8 ? &add_power_parts<T> : nullptr,
          &multiply_moments<T>,
          &scale_and_max<T>,
          &blend_and_max<T>,
          &exp_and_sum<T>,
          &squares_from_products<T>,
          &kernel_weights<T>,
          &add_absolute<T>,
          &find_small<T>,
          &find_small_blend<T>,
          &sum_moments<T>,
          &squared_distance<T>,
          &exponentials<T>,
          &largest_distance<T>,
          &shapley_panel<T>,
          &pair_quotients<T>,
          &add_pairs<T>};
}

extern const Kernels<double> double_kernels;
extern const Kernels<float> float_kernels;
const Kernels<double> double_kernels = table<double>();
const Kernels<float> float_kernels = table<float>();

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/simd/dispatch-inl.h"
#endif
