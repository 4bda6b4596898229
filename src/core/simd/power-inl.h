// Sums of powers of differences, included by kernels.cpp once per instruction set: hence the guard
// that toggles.
#if defined(BISECTOR_SIMD_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_POWER_INL_H_
#undef BISECTOR_SIMD_POWER_INL_H_
#else
#define BISECTOR_SIMD_POWER_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/simd/exponential-inl.h"
#include "core/simd/kernel_forms-inl.h"
#include "core/simd/product-inl.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A power by products and roots, with the operations of Distance::power_of.
template <int twice, class V>
HWY_INLINE V power_by_products(V a) {
  static_assert(twice == 1 || (twice >= 3 && twice <= 6) || twice == 8);
  if constexpr (twice == 1) return hn::Sqrt(a);
  if constexpr (twice == 3) return hn::Mul(a, hn::Sqrt(a));
  const V square = hn::Mul(a, a);
  if constexpr (twice == 4) return square;
  if constexpr (twice == 5) return hn::Mul(square, hn::Sqrt(a));
  if constexpr (twice == 6) return hn::Mul(square, a);
  return hn::Mul(square, square);
}

/// A polynomial by Horner's rule.
template <class D, std::size_t size, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D d, const hn::TFromD<D> (&coefficients)[size], V x) {
  V p = hn::Set(d, coefficients[0]);
  for (std::size_t k = 1; k < size; ++k) p = hn::MulAdd(p, x, hn::Set(d, coefficients[k]));
  return p;
}

/// a^power 2^-shift for a >= 0: of doubles with an error of 2e-15 (1 + |log2 of the result|), below
/// the smallest normal number 0 and beyond the largest infinite.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr, class V = hn::Vec<D>>
HWY_INLINE V power_by_logarithm(D d, V a, V power, V shift) {
  const V log = log2<false>(d, hn::Max(a, hn::Set(d, 0x1p-1022)));
  return power_of_two(d, hn::Min(hn::MulSub(power, log, shift), hn::Set(d, 1024.0)));
}

/// The same for floats, to propose possible neighbors. The logarithm errs by less than 2.5e-6 and
/// the rounding of its parts, and its power by a relative 3e-6. Results are clamped to 2^-126 ...
/// 2^127, and numbers below the smallest normal one count as 2^-127.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr, class V = hn::Vec<D>>
HWY_INLINE V power_by_logarithm(D d, V a, V power, V shift) {
  const hn::RebindToSigned<D> bits;
  constexpr std::int32_t kRootOfHalf = 0x3f3504f3;
  const auto n = hn::ShiftRight<23>(hn::Sub(hn::BitCast(bits, a), hn::Set(bits, kRootOfHalf)));
  const V m = hn::BitCast(d, hn::Sub(hn::BitCast(bits, a), hn::ShiftLeft<23>(n)));
  const V f = hn::Sub(m, hn::Set(d, 1.0f));
  constexpr float kLog[] = {-0.20659174f, 0.32215494f,  -0.36749002f,
                            0.479348f,    -0.72113186f, 1.4427135f};
  const V log = hn::MulAdd(polynomial(d, kLog, f), f, hn::ConvertTo(d, n));
  const V y =
      hn::Max(hn::Min(hn::MulSub(power, log, shift), hn::Set(d, 127.0f)), hn::Set(d, -126.0f));
  const V magic = hn::Set(d, ExpConstants<float>::magic);
  const V rounded = hn::Add(y, magic);
  constexpr float kPower[] = {0.0095701013f, 0.055917863f, 0.24024744f, 0.6931218f, 0.9999993f};
  const V p = polynomial(d, kPower, hn::Sub(y, hn::Sub(rounded, magic)));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, rounded));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), exponent));
}

template <int twice>
struct ProductPower {
  template <class V>
  static HWY_INLINE V step(V a, V b, V sum) {
    return hn::Add(sum, power_by_products<twice>(hn::Abs(hn::Sub(b, a))));
  }
};

template <int twice, class T>
void product_powers(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                    std::size_t panel_stride, std::size_t depth, std::size_t columns, T* c,
                    std::size_t c_stride) {
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t n = 0; n < columns; n += width) {
    const PanelRows<T> right{packed_at(b, panel_stride, 0, n)};
    std::size_t r = 0;
    for (; r + 4 <= rows; r += 4)
      block<4, kVectors, ProductPower<twice>>(a + r * a_stride, a_stride, right, depth,
                                              c + r * c_stride + n, c_stride, false);
    for (; r < rows; ++r)
      block<1, kVectors, ProductPower<twice>>(a + r * a_stride, a_stride, right, depth,
                                              c + r * c_stride + n, c_stride, false);
  }
}

/// A row against one unit of columns: the sums of `power_of(|difference|)`, feature by feature.
template <class T, class PowerOf>
HWY_INLINE void power_row(const T* HWY_RESTRICT a, const PanelRows<T>& right, std::size_t depth,
                          const PowerOf& power_of, T* HWY_RESTRICT c) {
  const hn::ScalableTag<T> d;
  hn::Vec<decltype(d)> sum[kVectors];
  BISECTOR_UNROLL(4)
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    const auto left = hn::Set(d, a[k]);
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kVectors; ++v)
      sum[v] = hn::Add(sum[v], power_of(hn::Abs(hn::Sub(right(d, k, v), left))));
  }
  BISECTOR_UNROLL(4)
  for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, c + v * hn::Lanes(d));
}

template <class T>
void power_distances(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                     std::size_t panel_stride, std::size_t depth, std::size_t columns, double power,
                     const T* shifts, T* c, std::size_t c_stride) {
  const auto run = power == 1.5   ? &product_powers<3, T>
                   : power == 2.5 ? &product_powers<5, T>
                   : power == 3.0 ? &product_powers<6, T>
                   : power == 4.0 ? &product_powers<8, T>
                                  : nullptr;
  if (run) return run(a, a_stride, rows, b, panel_stride, depth, columns, c, c_stride);
  const hn::ScalableTag<T> d;
  const auto exponent = hn::Set(d, static_cast<T>(power));
  const std::size_t width = kVectors * hn::Lanes(d);
  for (std::size_t n = 0; n < columns; n += width) {
    const PanelRows<T> right{packed_at(b, panel_stride, 0, n)};
    for (std::size_t r = 0; r < rows; ++r) {
      const auto shift = hn::Set(d, shifts ? shifts[r] : T{0});
      const auto power_of = [&](auto t)
                                HWY_ATTR { return power_by_logarithm(d, t, exponent, shift); };
      power_row(a + r * a_stride, right, depth, power_of, c + r * c_stride + n);
    }
  }
}

template <class T>
void add_power_parts(const T* HWY_RESTRICT point, const T* HWY_RESTRICT row, std::size_t n,
                     double power, T weight, T* HWY_RESTRICT half_gradients,
                     T* HWY_RESTRICT parts) {
  const auto add_at = [&](auto d, std::size_t k, const auto& lower) HWY_ATTR {
    const auto t = hn::Sub(hn::LoadU(d, point + k), hn::LoadU(d, row + k)), a = hn::Abs(t);
    const auto q = hn::Mul(hn::Set(d, weight), lower(d, a));
    const auto size = hn::Mul(hn::Set(d, static_cast<T>(0.5 * power)), q);
    T* const to = half_gradients + k;
    hn::StoreU(hn::Add(hn::LoadU(d, to), hn::CopySign(size, t)), d, to);
    if (parts) hn::StoreU(hn::MulAdd(q, a, hn::LoadU(d, parts + k)), d, parts + k);
  };
  // |t|^(power - 1): a product, or by the logarithm, which 0 does not have.
  const auto add = [&](const auto& lower) HWY_ATTR {
    const hn::ScalableTag<T> wide;
    const hn::CappedTag<T, 1> single;
    std::size_t k = 0;
    for (; k + hn::Lanes(wide) <= n; k += hn::Lanes(wide)) add_at(wide, k, lower);
    for (; k < n; ++k) add_at(single, k, lower);
  };
  if (power == 1.5) return add([](auto, auto a) HWY_ATTR { return power_by_products<1>(a); });
  if (power == 2.5) return add([](auto, auto a) HWY_ATTR { return power_by_products<3>(a); });
  if (power == 3.0) return add([](auto, auto a) HWY_ATTR { return power_by_products<4>(a); });
  if (power == 4.0) return add([](auto, auto a) HWY_ATTR { return power_by_products<6>(a); });
  const T lower_power = static_cast<T>(power - 1.0);
  add([=](auto d, auto a) HWY_ATTR {
    const auto q = power_by_logarithm(d, a, hn::Set(d, lower_power), hn::Zero(d));
    return hn::IfThenZeroElse(hn::Eq(a, hn::Zero(d)), q);
  });
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
