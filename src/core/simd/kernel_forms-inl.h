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

#include <cmath>
#include <cstddef>

#include "bisector/kernel.h"
#include "core/simd/exponential-inl.h"
#include "core/simd/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One term of a kernel: what its form makes of a vector of distances.
template <KernelForm form, class D, class V = hn::Vec<D>>
struct FormOf {
  using T = hn::TFromD<D>;

  FormOf(D d, const KernelTerm& term)
      : tag(d),
        gamma(hn::Set(d, static_cast<T>(term.gamma))),
        shape(hn::Set(d, static_cast<T>(term.shape))),
        log_weight(hn::Set(d, static_cast<T>(std::log(term.weight)))),
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

  /// What q and the slope want: t, or 1 + gamma s.
  HWY_INLINE V rest(V s) const {
    if constexpr (form == KernelForm::exponential) return s;
    if constexpr (form == KernelForm::power) return hn::MulAdd(gamma, s, hn::Set(tag, T{1}));
    return hn::Mul(gamma, hn::Sqrt(s));
  }
  HWY_INLINE V exponent(V s, V rest) const {
    if constexpr (form == KernelForm::exponential) return hn::NegMulAdd(gamma, s, log_weight);
    if constexpr (form == KernelForm::power)
      return hn::NegMulAdd(shape, hn::Log(tag, rest), log_weight);
    return hn::Sub(log_weight, rest);
  }
  /// q(s).
  HWY_INLINE V value(V rest) const {
    const V one = hn::Set(tag, T{1});
    if constexpr (form == KernelForm::matern32) return hn::Add(one, rest);
    if constexpr (form == KernelForm::matern52)
      return hn::MulAdd(rest, hn::MulAdd(rest, hn::Set(tag, static_cast<T>(1.0 / 3.0)), one), one);
    return one;
  }
  /// |phi'(s)| / exp(e(s)).
  HWY_INLINE V slope(V rest) const {
    if constexpr (form == KernelForm::power) return hn::Div(factor, rest);
    if constexpr (form == KernelForm::matern52)
      return hn::Mul(factor, hn::Add(hn::Set(tag, T{1}), rest));
    if constexpr (form == KernelForm::matern12)
      return hn::Div(factor, hn::Max(rest, hn::Set(tag, kLeastRoot)));
    return factor;
  }

  // Where a point stands at x, the slope has no end.
  static constexpr T kLeastRoot = static_cast<T>(sizeof(T) == 8 ? 1e-150 : 1e-18);

  D tag;
  V gamma, shape, log_weight, factor;
};

template <KernelForm form, class T>
T exponents_of(const KernelTerm& term, const T* HWY_RESTRICT s, const T* HWY_RESTRICT log_weights,
               T* HWY_RESTRICT e, T* HWY_RESTRICT rest, std::size_t n) {
  const hn::ScalableTag<T> d;
  const FormOf<form, decltype(d)> kernel(d, term);
  auto largest = hn::Set(d, hwy::LowestValue<T>());
  for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
    const auto distance = hn::LoadU(d, s + k);
    const auto own = kernel.rest(distance);
    const auto value = hn::Add(kernel.exponent(distance, own), hn::LoadU(d, log_weights + k));
    hn::StoreU(own, d, rest + k);
    hn::StoreU(value, d, e + k);
    largest = hn::Max(largest, value);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <KernelForm form, class T>
KernelSums<T> weights_of(const KernelTerm& term, bool slopes, const T* HWY_RESTRICT rest, T shift,
                         T* HWY_RESTRICT e, std::size_t n) {
  const hn::ScalableTag<T> d;
  const FormOf<form, decltype(d)> kernel(d, term);
  const auto down = hn::Set(d, shift);
  auto values = hn::Zero(d), all_slopes = hn::Zero(d);
  for (std::size_t k = 0; k < n; k += hn::Lanes(d)) {
    const auto own = hn::LoadU(d, rest + k);
    const auto power = exponential(d, hn::Sub(hn::LoadU(d, e + k), down));
    const auto value = hn::Mul(power, kernel.value(own));
    const auto slope = hn::Mul(power, kernel.slope(own));
    values = hn::Add(values, value);
    all_slopes = hn::Add(all_slopes, slope);
    hn::StoreU(slopes ? slope : value, d, e + k);
  }
  return {hn::GetLane(hn::SumOfLanes(d, values)), hn::GetLane(hn::SumOfLanes(d, all_slopes))};
}

template <class T>
T kernel_exponents(const KernelTerm& term, const T* s, const T* log_weights, T* e, T* rest,
                   std::size_t n) {
  switch (term.form) {
    case KernelForm::exponential:
      return exponents_of<KernelForm::exponential>(term, s, log_weights, e, rest, n);
    case KernelForm::matern12:
      return exponents_of<KernelForm::matern12>(term, s, log_weights, e, rest, n);
    case KernelForm::matern32:
      return exponents_of<KernelForm::matern32>(term, s, log_weights, e, rest, n);
    case KernelForm::matern52:
      return exponents_of<KernelForm::matern52>(term, s, log_weights, e, rest, n);
    default:
      break;
  }
  return exponents_of<KernelForm::power>(term, s, log_weights, e, rest, n);
}

template <class T>
KernelSums<T> kernel_weights(const KernelTerm& term, bool slopes, const T* rest, T shift, T* e,
                             std::size_t n) {
  switch (term.form) {
    case KernelForm::exponential:
      return weights_of<KernelForm::exponential>(term, slopes, rest, shift, e, n);
    case KernelForm::matern12:
      return weights_of<KernelForm::matern12>(term, slopes, rest, shift, e, n);
    case KernelForm::matern32:
      return weights_of<KernelForm::matern32>(term, slopes, rest, shift, e, n);
    case KernelForm::matern52:
      return weights_of<KernelForm::matern52>(term, slopes, rest, shift, e, n);
    default:
      break;
  }
  return weights_of<KernelForm::power>(term, slopes, rest, shift, e, n);
}

template <class T>
void add_absolute(const T* weights, const T* const* points, std::size_t count,
                  const T* HWY_RESTRICT x, std::size_t n, T* HWY_RESTRICT first,
                  T* HWY_RESTRICT second) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const auto add_at = [&](auto d, std::size_t k) {
    const auto from = hn::LoadU(d, x + k);
    auto signs = hn::LoadU(d, first + k), sizes = hn::LoadU(d, second + k);
    for (std::size_t i = 0; i < count; ++i) {
      if (!(weights[i] > T{0})) continue;
      const auto weight = hn::Set(d, weights[i]);
      const auto t = hn::Sub(hn::LoadU(d, points[i] + k), from);
      const auto sign = hn::IfThenZeroElse(hn::Eq(t, hn::Zero(d)), hn::CopySign(weight, t));
      signs = hn::Add(signs, sign);
      sizes = hn::MulAdd(weight, hn::Abs(t), sizes);
    }
    hn::StoreU(signs, d, first + k);
    hn::StoreU(sizes, d, second + k);
  };
  std::size_t k = 0;
  for (; k + hn::Lanes(wide) <= n; k += hn::Lanes(wide)) add_at(wide, k);
  for (; k < n; ++k) add_at(single, k);
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
