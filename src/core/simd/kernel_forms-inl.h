// Kernels of a distance other than the Gaussian's fused path, and the parts of Manhattan distances,
// included by kernels.cpp once per instruction set: hence the guard that toggles.
#if defined(BISECTOR_SIMD_KERNEL_FORMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_KERNEL_FORMS_INL_H_
#undef BISECTOR_SIMD_KERNEL_FORMS_INL_H_
#else
#define BISECTOR_SIMD_KERNEL_FORMS_INL_H_
#endif

#include <hwy/highway.h>
//
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bisector/kernel.h"
#include "core/simd/exponential-inl.h"
#include "core/simd/kernels.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The logarithm to base two of normal, finite doubles, or of those from 1 on: x = 2^n m with m
/// between sqrt(1/2) and sqrt(2), and log m = 2 atanh z with z = (m - 1) / (m + 1), whose series in
/// z^2, after its first term, is a polynomial that interpolates it. Errs by less than 1e-15 of the
/// larger of |log2 x| and 1.
template <bool from_one, class D, class V = hn::Vec<D>>
HWY_INLINE V log2(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kTwoTo52 = 0x4330000000000000;
  // Below 1, n counts from so much below, and has no sign either.
  constexpr std::uint64_t kBelow = from_one ? 0 : 1022;
  const auto n = hn::ShiftRight<52>(
      hn::Sub(hn::BitCast(bits, x), hn::Set(bits, kRootOfHalf - (kBelow << 52))));
  const V power = hn::Sub(hn::BitCast(d, hn::Or(n, hn::Set(bits, kTwoTo52))),
                          hn::Set(d, 0x1p52 + static_cast<double>(kBelow)));
  auto mantissa = hn::Sub(hn::BitCast(bits, x), hn::ShiftLeft<52>(n));
  if constexpr (!from_one) mantissa = hn::Add(mantissa, hn::Set(bits, kBelow << 52));
  const V m = hn::BitCast(d, mantissa);
  const V one = hn::Set(d, 1.0);
  const V z = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const V w = hn::Mul(z, z), w2 = hn::Mul(w, w);
  constexpr double kSeries[] = {0.23982681293456543, 0.2617060417962834, 0.3206081694744246,
                                0.41219851881094044, 0.5770780165183451, 0.9617966939259089,
                                2.8853900817779268};
  // In pairs, which do not wait for each other.
  const auto pair = [&](std::size_t k) {
    return hn::MulAdd(hn::Set(d, kSeries[k]), w, hn::Set(d, kSeries[k + 1]));
  };
  const V p = hn::MulAdd(hn::MulAdd(pair(0), w2, pair(2)), w2, pair(4));
  return hn::MulAdd(hn::MulAdd(p, w, hn::Set(d, kSeries[6])), z, power);
}

/// One term of a kernel: what its form makes of a vector of distances.
template <KernelForm form, class D, class V = hn::Vec<D>>
struct FormOf {
  using T = hn::TFromD<D>;
  /// Exponents of powers are those of two: a logarithm and an exponential to one base cost less.
  static constexpr bool kIsBaseTwo = form == KernelForm::power && sizeof(T) == 8;

  FormOf(D d, const KernelTerm& term, T shift)
      : tag(d),
        down(hn::Set(d, kIsBaseTwo ? shift * ExpConstants<T>::log2e : shift)),
        gamma(hn::Set(d, static_cast<T>(term.gamma))),
        shape(hn::Set(d, static_cast<T>(term.shape + 1.0))),
        // The slope's factor of the form.
        factor(hn::Set(d, static_cast<T>(slope_factor(term)))) {}

  static double slope_factor(const KernelTerm& term) {
    switch (form) {
      case KernelForm::exponential:
        return term.gamma;
      case KernelForm::power:
        return term.gamma * term.shape;
      case KernelForm::matern52:
        return term.gamma * term.gamma / 6.0;
      default:
        return term.gamma * term.gamma / 2.0;
    }
  }

  /// What an exponent starts from.
  HWY_INLINE V start(V log_weight) const {
    if constexpr (kIsBaseTwo)
      return hn::MulSub(log_weight, hn::Set(tag, ExpConstants<T>::log2e), down);
    return hn::Sub(log_weight, down);
  }
  HWY_INLINE V power(V exponent) const {
    if constexpr (kIsBaseTwo) return power_of_two(tag, exponent);
    return exponential(tag, exponent);
  }
  /// What q and the slope want: t, or 1 + gamma s.
  HWY_INLINE V rest(V s) const {
    if constexpr (form == KernelForm::exponential) return s;
    if constexpr (form == KernelForm::power) return hn::MulAdd(gamma, s, hn::Set(tag, T{1}));
    return hn::Mul(gamma, hn::Sqrt(s));
  }
  /// e(s) + start. A power's is that of its slope, which is then a constant times it: a product
  /// is faster than the quotient.
  HWY_INLINE V exponent(V rest, V start) const {
    if constexpr (form == KernelForm::exponential) return hn::NegMulAdd(gamma, rest, start);
    if constexpr (kIsBaseTwo) return hn::NegMulAdd(shape, log2<true>(tag, rest), start);
    if constexpr (form == KernelForm::power) return hn::NegMulAdd(shape, hn::Log(tag, rest), start);
    return hn::Sub(start, rest);
  }
  /// q(s).
  HWY_INLINE V value(V rest) const {
    const V one = hn::Set(tag, T{1});
    if constexpr (form == KernelForm::power) return rest;
    if constexpr (form == KernelForm::matern32) return hn::Add(one, rest);
    if constexpr (form == KernelForm::matern52)
      return hn::MulAdd(rest, hn::MulAdd(rest, hn::Set(tag, static_cast<T>(1.0 / 3.0)), one), one);
    return one;
  }
  /// |phi'(s)| / exp(e(s)).
  HWY_INLINE V slope(V rest) const {
    if constexpr (form == KernelForm::matern52)
      return hn::Mul(factor, hn::Add(hn::Set(tag, T{1}), rest));
    if constexpr (form == KernelForm::matern12)
      return hn::Div(factor, hn::Max(rest, hn::Set(tag, kLeastRoot)));
    return factor;
  }

  // Where a point stands at x, the slope has no end.
  static constexpr T kLeastRoot = static_cast<T>(sizeof(T) == 8 ? 1e-150 : 1e-18);

  D tag;
  V down, gamma, shape, factor;  // the shape of a power's slope
};

template <class T>
NearestSquare<T> squares_from_products(T* HWY_RESTRICT s, const T* HWY_RESTRICT norms, T norm,
                                       T cancelled, std::size_t count) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const auto at = [&](auto d, std::size_t k, auto& nearest, auto& margin) {
    const auto size = hn::Add(hn::Set(d, norm), hn::LoadU(d, norms + k));
    const auto square = hn::MulAdd(hn::LoadU(d, s + k), hn::Set(d, T{-2}), size);
    hn::StoreU(square, d, s + k);
    nearest = hn::Min(nearest, square);
    margin = hn::Min(margin, hn::NegMulAdd(hn::Set(d, cancelled), size, square));
  };
  auto nearest = hn::Set(wide, hwy::HighestValue<T>()), margin = nearest;
  auto last = hn::Set(single, hwy::HighestValue<T>()), last_margin = last;
  std::size_t k = 0;
  for (; k + hn::Lanes(wide) <= count; k += hn::Lanes(wide)) at(wide, k, nearest, margin);
  for (; k < count; ++k) at(single, k, last, last_margin);
  return {std::min(hn::GetLane(hn::MinOfLanes(wide, nearest)), hn::GetLane(last)),
          std::min(hn::GetLane(hn::MinOfLanes(wide, margin)), hn::GetLane(last_margin))};
}

/// The sums of a kernel's values and slopes, and what is stored of a vector of them.
template <bool slopes, class D, class V = hn::Vec<D>>
struct KernelTotals {
  explicit KernelTotals(D d) : values(hn::Zero(d)), all_slopes(hn::Zero(d)) {}

  template <class Form>
  HWY_INLINE V add(const Form& kernel, V power, V rest) {
    if constexpr (slopes) {
      const V slope = hn::Mul(power, kernel.slope(rest));
      values = hn::MulAdd(power, kernel.value(rest), values);
      all_slopes = hn::Add(all_slopes, slope);
      return slope;
    } else {
      const V value = hn::Mul(power, kernel.value(rest));
      values = hn::Add(values, value);
      all_slopes = hn::MulAdd(power, kernel.slope(rest), all_slopes);
      return value;
    }
  }

  V values, all_slopes;
};

template <KernelForm form, bool slopes, class T>
KernelSums<T> weights_of(const KernelTerm& term, const T* s, const T* HWY_RESTRICT log_weights,
                         T shift, T* out, bool accumulate, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const FormOf<form, decltype(d)> kernel(d, term, shift);
  const auto start = [&](std::size_t k) { return kernel.start(hn::LoadU(d, log_weights + k)); };
  const auto put = [&](auto weight, std::size_t k) {
    hn::StoreU(accumulate ? hn::Add(weight, hn::LoadU(d, out + k)) : weight, d, out + k);
  };
  KernelTotals<slopes, decltype(d)> sum0(d), sum1(d), sum2(d);
  // Three independent chains hide the latency; a panel is a multiple of three vectors. Step by
  // step, because a processor does not look far enough ahead to find them one behind the other.
  for (std::size_t k = 0; k < n; k += 3 * lanes) {
    const std::size_t k1 = k + lanes, k2 = k + 2 * lanes;
    const auto r0 = kernel.rest(hn::LoadU(d, s + k));
    const auto r1 = kernel.rest(hn::LoadU(d, s + k1));
    const auto r2 = kernel.rest(hn::LoadU(d, s + k2));
    const auto e0 = kernel.exponent(r0, start(k));
    const auto e1 = kernel.exponent(r1, start(k1));
    const auto e2 = kernel.exponent(r2, start(k2));
    const auto p0 = kernel.power(e0), p1 = kernel.power(e1), p2 = kernel.power(e2);
    put(sum0.add(kernel, p0, r0), k);
    put(sum1.add(kernel, p1, r1), k1);
    put(sum2.add(kernel, p2, r2), k2);
  }
  const auto values = hn::Add(hn::Add(sum0.values, sum1.values), sum2.values);
  const auto all = hn::Add(hn::Add(sum0.all_slopes, sum1.all_slopes), sum2.all_slopes);
  return {hn::GetLane(hn::SumOfLanes(d, values)), hn::GetLane(hn::SumOfLanes(d, all))};
}

template <KernelForm form, class T>
KernelSums<T> weights_of(const KernelTerm& term, bool slopes, const T* s, const T* log_weights,
                         T shift, T* out, bool accumulate, std::size_t n) {
  const auto run = slopes ? &weights_of<form, true, T> : &weights_of<form, false, T>;
  return run(term, s, log_weights, shift, out, accumulate, n);
}

template <class T>
KernelSums<T> kernel_weights(const KernelTerm& term, bool slopes, const T* s, const T* log_weights,
                             T shift, T* out, bool accumulate, std::size_t n) {
  const auto run = [&](auto of_form) {
    return of_form(term, slopes, s, log_weights, shift, out, accumulate, n);
  };
  switch (term.form) {
    case KernelForm::exponential:
      return run(&weights_of<KernelForm::exponential, T>);
    case KernelForm::matern12:
      return run(&weights_of<KernelForm::matern12, T>);
    case KernelForm::matern32:
      return run(&weights_of<KernelForm::matern32, T>);
    case KernelForm::matern52:
      return run(&weights_of<KernelForm::matern52, T>);
    default:
      return run(&weights_of<KernelForm::power, T>);
  }
}

template <class T>
void add_absolute(const T* HWY_RESTRICT weights, const T* HWY_RESTRICT panels,
                  std::size_t panel_stride, std::size_t columns, const T* HWY_RESTRICT x,
                  std::size_t depth, T* HWY_RESTRICT first, T* HWY_RESTRICT second) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    const auto from = hn::Set(d, x[k]);
    hn::Vec<decltype(d)> signs[3], sizes[3];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < 3; ++v) signs[v] = sizes[v] = zero;
    for (std::size_t n = 0; n < columns; n += 3 * lanes) {
      const T* row =
          panels + n / kPanelWidth<T> * panel_stride + k * kPanelWidth<T> + n % kPanelWidth<T>;
      BISECTOR_UNROLL(4)
      for (int v = 0; v < 3; ++v) {
        const std::size_t at = static_cast<std::size_t>(v) * lanes;
        const auto weight = hn::LoadU(d, weights + n + at);
        const auto t = hn::Sub(hn::LoadU(d, row + at), from);
        signs[v] =
            hn::Add(signs[v], hn::IfThenZeroElse(hn::Eq(t, zero), hn::CopySignToAbs(weight, t)));
        sizes[v] = hn::MulAdd(weight, hn::Abs(t), sizes[v]);
      }
    }
    const auto total = [&](const auto(&sums)[3]) {
      return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), sums[2])));
    };
    first[k] += total(signs);
    second[k] += total(sizes);
  }
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
