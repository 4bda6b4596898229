// Kernels of a distance, except the Gaussian, which has its own pass; and parts of Manhattan
// distances, included by kernels.cpp once per instruction set: hence the guard that toggles.
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

#include "bisector/kernel_forms.h"
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
  // Below 1, n is counted from -kBelow, so that it is never negative.
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
  // The terms in independent pairs, which hides the latency.
  const auto pair = [&](std::size_t k) HWY_ATTR {
    return hn::MulAdd(hn::Set(d, kSeries[k]), w, hn::Set(d, kSeries[k + 1]));
  };
  const V p = hn::MulAdd(hn::MulAdd(pair(0), w2, pair(2)), w2, pair(4));
  return hn::MulAdd(hn::MulAdd(p, w, hn::Set(d, kSeries[6])), z, power);
}

/// What the form of a kernel's term makes of a vector of distances. The term's constants are
/// arguments, because vectors of some instruction sets cannot be members.
/// The functions end with the case of the Matern forms; a new form has a branch wherever it differs
/// from them.
template <KernelForm form, class D, class V = hn::Vec<D>>
struct FormOf {
  static_assert(form == KernelForm::exponential || form == KernelForm::matern12 ||
                    form == KernelForm::matern32 || form == KernelForm::matern52 ||
                    form == KernelForm::power,
                "a form of kernels without vector code");
  using T = hn::TFromD<D>;
  /// Powers use exponents of two: a logarithm and an exponential to one base cost less.
  static constexpr bool kIsBaseTwo = form == KernelForm::power && sizeof(T) == 8;

  static T shift(T shift) { return kIsBaseTwo ? shift * ExpConstants<T>::log2e : shift; }
  /// The constant factor of the slope.
  static T slope_factor(const KernelTerm& term) {
    if constexpr (form == KernelForm::exponential) return static_cast<T>(term.gamma);
    if constexpr (form == KernelForm::power) return static_cast<T>(term.gamma * term.shape);
    const double divisor = form == KernelForm::matern52 ? 6.0 : 2.0;
    return static_cast<T>(term.gamma * term.gamma / divisor);
  }

  /// The part of the exponent that does not depend on the distance.
  static HWY_INLINE V start(V shift, V log_weight) {
    if constexpr (kIsBaseTwo)
      return hn::MulSub(log_weight, hn::Set(D(), ExpConstants<T>::log2e), shift);
    return hn::Sub(log_weight, shift);
  }
  static HWY_INLINE V power(V exponent) {
    if constexpr (kIsBaseTwo) return power_of_two(D(), exponent);
    return exponential(D(), exponent);
  }
  /// The function of the distance s that value() and slope() take: s, 1 + gamma s, or
  /// gamma sqrt(s).
  static HWY_INLINE V rest(V gamma, V s) {
    if constexpr (form == KernelForm::exponential) return s;
    if constexpr (form == KernelForm::power) return hn::MulAdd(gamma, s, hn::Set(D(), T{1}));
    return hn::Mul(gamma, hn::Sqrt(s));
  }
  /// The exponent e(s) + start. That of a power is the exponent of its slope, whose shape is one
  /// more: the value is a product then, which is faster than a quotient.
  static HWY_INLINE V exponent(V gamma, V slope_shape, V rest, V start) {
    if constexpr (form == KernelForm::exponential) return hn::NegMulAdd(gamma, rest, start);
    if constexpr (kIsBaseTwo) return hn::NegMulAdd(slope_shape, log2<true>(D(), rest), start);
    if constexpr (form == KernelForm::power)
      return hn::NegMulAdd(slope_shape, hn::Log(D(), rest), start);
    return hn::Sub(start, rest);
  }
  /// phi(s) / exp(e(s)).
  static HWY_INLINE V value(V rest) {
    const V one = hn::Set(D(), T{1});
    if constexpr (form == KernelForm::power) return rest;
    if constexpr (form == KernelForm::matern32) return hn::Add(one, rest);
    if constexpr (form == KernelForm::matern52)
      return hn::MulAdd(rest, hn::MulAdd(rest, hn::Set(D(), static_cast<T>(1.0 / 3.0)), one), one);
    return one;
  }
  /// |phi'(s)| / exp(e(s)). It is infinite at a point that is equal to x, which kLeastRoot bounds.
  static HWY_INLINE V slope(V factor, V rest) {
    constexpr T kLeastRoot = static_cast<T>(sizeof(T) == 8 ? 1e-150 : 1e-18);
    if constexpr (form == KernelForm::matern52)
      return hn::Mul(factor, hn::Add(hn::Set(D(), T{1}), rest));
    if constexpr (form == KernelForm::matern12)
      return hn::Div(factor, hn::Max(rest, hn::Set(D(), kLeastRoot)));
    return factor;
  }
};

template <class T>
NearestSquare<T> squares_from_products(T* HWY_RESTRICT s, const T* HWY_RESTRICT norms, T norm,
                                       T cancelled, std::size_t count) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const auto at = [&](auto d, std::size_t k, auto& nearest, auto& margin) HWY_ATTR {
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

/// Adds a vector of a kernel's values and slopes to their sums; returns the one that is stored.
template <class Form, bool slopes, class V>
HWY_INLINE V add_weights(V factor, V power, V rest, V& values, V& all_slopes) {
  if constexpr (slopes) {
    const V slope = hn::Mul(power, Form::slope(factor, rest));
    values = hn::MulAdd(power, Form::value(rest), values);
    all_slopes = hn::Add(all_slopes, slope);
    return slope;
  } else {
    const V value = hn::Mul(power, Form::value(rest));
    values = hn::Add(values, value);
    all_slopes = hn::MulAdd(power, Form::slope(factor, rest), all_slopes);
    return value;
  }
}

template <KernelForm form, bool slopes, class T>
KernelSums<T> weights_of(const KernelTerm& term, const T* s, const T* HWY_RESTRICT log_weights,
                         T shift, T* out, bool accumulate, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  using Form = FormOf<form, hn::ScalableTag<T>>;
  const auto down = hn::Set(d, Form::shift(shift));
  const auto gamma = hn::Set(d, static_cast<T>(term.gamma));
  const auto shape = hn::Set(d, static_cast<T>(term.shape + 1.0));
  const auto factor = hn::Set(d, Form::slope_factor(term));
  const auto rest = [&](std::size_t k) HWY_ATTR { return Form::rest(gamma, hn::LoadU(d, s + k)); };
  const auto exponent = [&](auto of, std::size_t k) HWY_ATTR {
    return Form::exponent(gamma, shape, of, Form::start(down, hn::LoadU(d, log_weights + k)));
  };
  const auto put = [&](auto weight, std::size_t k) HWY_ATTR {
    hn::StoreU(accumulate ? hn::Add(weight, hn::LoadU(d, out + k)) : weight, d, out + k);
  };
  auto values0 = hn::Zero(d), values1 = hn::Zero(d), values2 = hn::Zero(d);
  auto slopes0 = hn::Zero(d), slopes1 = hn::Zero(d), slopes2 = hn::Zero(d);
  // Three independent chains hide the latency; a panel is a multiple of three vectors. The steps of
  // the chains alternate, because a processor does not look ahead over a whole chain.
  for (std::size_t k = 0; k < n; k += 3 * lanes) {
    const std::size_t k1 = k + lanes, k2 = k + 2 * lanes;
    const auto r0 = rest(k), r1 = rest(k1), r2 = rest(k2);
    const auto e0 = exponent(r0, k), e1 = exponent(r1, k1), e2 = exponent(r2, k2);
    const auto p0 = Form::power(e0), p1 = Form::power(e1), p2 = Form::power(e2);
    put(add_weights<Form, slopes>(factor, p0, r0, values0, slopes0), k);
    put(add_weights<Form, slopes>(factor, p1, r1, values1, slopes1), k1);
    put(add_weights<Form, slopes>(factor, p2, r2, values2, slopes2), k2);
  }
  const auto values = hn::Add(hn::Add(values0, values1), values2);
  const auto all = hn::Add(hn::Add(slopes0, slopes1), slopes2);
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
  const auto run =
      with_distance_form(term.form, []<class Form>(Form) { return &weights_of<Form::kForm, T>; });
  return run(term, slopes, s, log_weights, shift, out, accumulate, n);
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
    const auto total = [&](const auto(&sums)[3]) HWY_ATTR {
      return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), sums[2])));
    };
    first[k] += total(signs);
    second[k] += total(sizes);
  }
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
