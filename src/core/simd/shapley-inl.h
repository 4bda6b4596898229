// The kernels of exact Shapley values, included by kernels.cpp once per instruction set: hence the
// guard that toggles.
#if defined(BISECTOR_SIMD_SHAPLEY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_SHAPLEY_INL_H_
#undef BISECTOR_SIMD_SHAPLEY_INL_H_
#else
#define BISECTOR_SIMD_SHAPLEY_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "core/simd/exponential-inl.h"
#include "core/simd/kernels.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void exponentials(const T* HWY_RESTRICT x, std::size_t n, T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> d;
  for (std::size_t k = 0; k < n; k += hn::Lanes(d))
    hn::StoreU(exponential(d, hn::LoadU(d, x + k)), d, out + k);
}

template <class T>
T largest_distance(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t depth) {
  const hn::ScalableTag<T> d;
  auto largest = hn::Zero(d);
  for (std::size_t n = 0; n < kPanelWidth<T>; n += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t k = n; k < depth * kPanelWidth<T>; k += kPanelWidth<T>)
      sum = hn::Add(sum, hn::Abs(hn::Sub(hn::LoadU(d, a + k), hn::LoadU(d, b + k))));
    largest = hn::Max(largest, sum);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

/// `count` nodes of the quadrature for one vector of points: adds sum_q w_q prod_{e != d} (...) to
/// sums(d). A product without one factor is the product of those before it and of those after it,
/// so nothing is ever divided by a factor that may be zero. `a` and `b` step by the panel width,
/// the workspace by whole vectors.
template <int count, class T>
HWY_INLINE void add_products(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t depth,
                             const T* HWY_RESTRICT t, const T* HWY_RESTRICT w,
                             T* HWY_RESTRICT prefixes, T* HWY_RESTRICT sums) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> product[count], node[count];
  BISECTOR_UNROLL(6)
  for (int q = 0; q < count; ++q) {
    product[q] = hn::Set(d, w[q]);
    node[q] = hn::Set(d, t[q]);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    const auto without = hn::LoadU(d, b + k * kPanelWidth<T>);
    const auto rise = hn::Sub(hn::LoadU(d, a + k * kPanelWidth<T>), without);
    BISECTOR_UNROLL(6)
    for (int q = 0; q < count; ++q) {
      hn::StoreU(product[q], d, prefixes + (k * count + static_cast<std::size_t>(q)) * lanes);
      product[q] = hn::Mul(product[q], hn::MulAdd(node[q], rise, without));
    }
  }
  BISECTOR_UNROLL(6)
  for (int q = 0; q < count; ++q) product[q] = hn::Set(d, T{1});
  for (std::size_t k = depth; k-- > 0;) {
    const auto without = hn::LoadU(d, b + k * kPanelWidth<T>);
    const auto rise = hn::Sub(hn::LoadU(d, a + k * kPanelWidth<T>), without);
    auto sum = hn::LoadU(d, sums + k * lanes);
    BISECTOR_UNROLL(6)
    for (int q = 0; q < count; ++q) {
      const auto before =
          hn::LoadU(d, prefixes + (k * count + static_cast<std::size_t>(q)) * lanes);
      sum = hn::MulAdd(before, product[q], sum);
      product[q] = hn::Mul(product[q], hn::MulAdd(node[q], rise, without));
    }
    hn::StoreU(sum, d, sums + k * lanes);
  }
}

/// The number of independent products that hide the latency of a multiplication in registers.
constexpr std::size_t kNodesTogether = 6;

template <class T>
HWY_INLINE void add_products_of(std::size_t count, const T* a, const T* b, std::size_t depth,
                                const T* t, const T* w, T* prefixes, T* sums) {
  switch (count) {
    case 1:
      return add_products<1>(a, b, depth, t, w, prefixes, sums);
    case 2:
      return add_products<2>(a, b, depth, t, w, prefixes, sums);
    case 3:
      return add_products<3>(a, b, depth, t, w, prefixes, sums);
    case 4:
      return add_products<4>(a, b, depth, t, w, prefixes, sums);
    case 5:
      return add_products<5>(a, b, depth, t, w, prefixes, sums);
    default:
      return add_products<6>(a, b, depth, t, w, prefixes, sums);
  }
}

template <class T>
void shapley_panel(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, const T* HWY_RESTRICT c,
                   std::size_t depth, const T* HWY_RESTRICT t, const T* HWY_RESTRICT w,
                   std::size_t nodes, T* HWY_RESTRICT workspace, T* HWY_RESTRICT phi) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T* sums = workspace;
  T* prefixes = workspace + depth * lanes;
  for (std::size_t n = 0; n < kPanelWidth<T>; n += lanes) {
    for (std::size_t k = 0; k < depth; ++k) hn::StoreU(hn::Zero(d), d, sums + k * lanes);
    // Nodes in groups of equal size: a group of one or two would wait for its own products.
    const std::size_t groups = (nodes + kNodesTogether - 1) / kNodesTogether;
    for (std::size_t g = 0, q = 0; g < groups; ++g) {
      const std::size_t count = (nodes - q) / (groups - g);
      add_products_of(count, a + n, b + n, depth, t + q, w + q, prefixes, sums);
      q += count;
    }
    const auto coefficient = hn::LoadU(d, c + n);
    for (std::size_t k = 0; k < depth; ++k) {
      const std::size_t at = k * kPanelWidth<T> + n;
      const auto rise = hn::Sub(hn::LoadU(d, a + at), hn::LoadU(d, b + at));
      const auto weighted = hn::Mul(coefficient, rise);
      hn::StoreU(hn::MulAdd(weighted, hn::LoadU(d, sums + k * lanes), hn::LoadU(d, phi + at)), d,
                 phi + at);
    }
  }
}

/// Factors relative to the larger of A and B, so that quotients are finite if A and B underflow.
/// Writes B and A - B of every player for one vector of points; returns the sum of log max(A, B).
template <class T, class D>
HWY_INLINE hn::Vec<D> scaled_factors(D d, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                                     std::size_t depth, T* HWY_RESTRICT factors) {
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, T{1});
  auto log_scale = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    const auto with = hn::LoadU(d, a + k * kPanelWidth<T>);
    const auto without = hn::LoadU(d, b + k * kPanelWidth<T>);
    log_scale = hn::Add(log_scale, hn::Max(with, without));
    const auto ratio = exponential(d, hn::Neg(hn::Abs(hn::Sub(with, without))));
    // Equal logarithms may both be infinite.
    const auto small = hn::IfThenElse(hn::Eq(with, without), one, ratio);
    const auto has_larger_a = hn::Ge(with, without);
    const auto rise = hn::Sub(one, small);
    hn::StoreU(hn::IfThenElse(has_larger_a, small, one), d, factors + 2 * k * lanes);
    hn::StoreU(hn::IfThenElse(has_larger_a, rise, hn::Neg(rise)), d, factors + (2 * k + 1) * lanes);
  }
  return log_scale;
}

template <class T>
void pair_quotients(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, const T* HWY_RESTRICT c,
                    std::size_t depth, const T* HWY_RESTRICT t, const T* HWY_RESTRICT w,
                    std::size_t nodes, T* HWY_RESTRICT workspace, T* HWY_RESTRICT quotients,
                    T* HWY_RESTRICT weights) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t n = 0; n < kPanelWidth<T>; n += lanes) {
    const auto log_scale = scaled_factors(d, a + n, b + n, depth, workspace);
    const auto scale = hn::Mul(hn::LoadU(d, c + n), exponential(d, log_scale));
    for (std::size_t q = 0; q < nodes; ++q) {
      const auto node = hn::Set(d, t[q]);
      auto product = hn::Mul(scale, hn::Set(d, w[q]));
      for (std::size_t k = 0; k < depth; ++k) {
        const auto rise = hn::LoadU(d, workspace + (2 * k + 1) * lanes);
        const auto mixed = hn::MulAdd(node, rise, hn::LoadU(d, workspace + 2 * k * lanes));
        hn::StoreU(hn::Div(rise, mixed), d, quotients + (k * nodes + q) * kPanelWidth<T> + n);
        product = hn::Mul(product, mixed);
      }
      hn::StoreU(product, d, weights + q * kPanelWidth<T> + n);
    }
  }
}

/// weighted = weights quotients, of `length` numbers; returns its sum.
template <class T>
HWY_INLINE T weigh(const T* HWY_RESTRICT weights, const T* HWY_RESTRICT quotients,
                   std::size_t length, T* HWY_RESTRICT weighted) {
  const hn::ScalableTag<T> d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    const auto product = hn::Mul(hn::LoadU(d, weights + k), hn::LoadU(d, quotients + k));
    hn::StoreU(product, d, weighted + k);
    sum = hn::Add(sum, product);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class T>
void add_pairs(const T* HWY_RESTRICT quotients, const T* HWY_RESTRICT weights, std::size_t length,
               std::size_t first, std::size_t last, T* HWY_RESTRICT weighted, T* HWY_RESTRICT pairs,
               T* HWY_RESTRICT values) {
  constexpr std::size_t kTogether = 4;  // sums that share the loads of one player
  const hn::ScalableTag<T> d;
  for (std::size_t p = first; p < last; ++p)
    values[p - first] +=
        weigh(weights, quotients + p * length, length, weighted + (p - first) * length);
  for (std::size_t e = 0; e + 1 < last; e += kTogether) {
    const T* other[kTogether];
    for (std::size_t j = 0; j < kTogether; ++j)
      other[j] = quotients + (e + j < last ? e + j : last - 1) * length;
    for (std::size_t p = e + 1 > first ? e + 1 : first; p < last; ++p) {
      const T* own = weighted + (p - first) * length;
      hn::Vec<decltype(d)> sums[kTogether];
      BISECTOR_UNROLL(4)
      for (std::size_t j = 0; j < kTogether; ++j) sums[j] = hn::Zero(d);
      for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
        const auto at = hn::LoadU(d, own + k);
        BISECTOR_UNROLL(4)
        for (std::size_t j = 0; j < kTogether; ++j)
          sums[j] = hn::MulAdd(at, hn::LoadU(d, other[j] + k), sums[j]);
      }
      for (std::size_t j = 0; j < kTogether && e + j < p; ++j)
        pairs[(p - first) * last + e + j] += hn::GetLane(hn::SumOfLanes(d, sums[j]));
    }
  }
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
