// exp for a vector, included by kernels.cpp once per instruction set: hence the guard that toggles.
#if defined(BISECTOR_SIMD_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_EXPONENTIAL_INL_H_
#undef BISECTOR_SIMD_EXPONENTIAL_INL_H_
#else
#define BISECTOR_SIMD_EXPONENTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <iterator>

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// exp by Cody and Waite: x = n ln 2 + r with |r| <= ln(2)/2, a minimax polynomial for exp(r) (its
// error is below 1e-17, and 6e-9 for float), and n added to the exponent. Adding and subtracting
// `magic` rounds to the nearest integer and leaves that integer in the low bits.
template <class T>
struct ExpConstants;

template <>
struct ExpConstants<double> {
  static constexpr double lowest = -708.0, log2e = 1.4426950408889634, magic = 6755399441055744.0;
  static constexpr double ln2_high = 0.6931467056274414, ln2_low = 4.7493250390316726e-07;
  static constexpr int mantissa_bits = 52;
  static constexpr double coefficients[] = {2.5071564376892572268e-8,
                                            2.7628715579462909655e-7,
                                            2.7557356368782945982e-6,
                                            2.4801497241988579519e-5,
                                            1.984126976754619036e-4,
                                            1.3888888939857890853e-3,
                                            8.3333333333738297149e-3,
                                            4.1666666666543117951e-2,
                                            0.16666666666666591839,
                                            0.50000000000000093869,
                                            1.0,
                                            1.0};
};

template <>
struct ExpConstants<float> {
  static constexpr float lowest = -87.0f, log2e = 1.44269504f, magic = 12582912.0f;
  static constexpr float ln2_high = 0.693115234375f, ln2_low = 3.1946184945e-05f;
  static constexpr int mantissa_bits = 23;
  static constexpr float coefficients[] = {1.393372861e-3f,
                                           8.369218608e-3f,
                                           4.166646422e-2f,
                                           0.1666650463f,
                                           0.5000000014f,
                                           1.000000011f,
                                           1.0f};
};

/// The polynomial at r, times two to the power that `rounded` has in its low bits.
template <class C, class D, class V = hn::Vec<D>>
HWY_INLINE V scaled_polynomial(D d, V r, V rounded) {
  const hn::RebindToUnsigned<D> bits;
  V p = hn::Set(d, C::coefficients[0]);
  for (std::size_t k = 1; k < std::size(C::coefficients); ++k)
    p = hn::MulAdd(p, r, hn::Set(d, C::coefficients[k]));
  const auto exponent = hn::ShiftLeft<C::mantissa_bits>(hn::BitCast(bits, rounded));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), exponent));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V exponential(D d, V x) {
  using C = ExpConstants<hn::TFromD<D>>;
  const V rounded = hn::MulAdd(x, hn::Set(d, C::log2e), hn::Set(d, C::magic));
  const V n = hn::Sub(rounded, hn::Set(d, C::magic));
  V r = hn::NegMulAdd(n, hn::Set(d, C::ln2_high), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::ln2_low), r);
  // Compared this way round so that NaN is kept.
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, C::lowest)), scaled_polynomial<C>(d, r, rounded));
}

/// The same polynomial for powers of two, whose exponents leave their fractions exactly.
struct PowerOfTwoConstants {
  static constexpr double lowest = -1021.0, magic = ExpConstants<double>::magic;
  static constexpr int mantissa_bits = 52;
  static constexpr double coefficients[] = {
      4.4489907698913864e-10, 7.073189704160526e-09,  1.0178099728387639e-07, 1.321543880202876e-06,
      1.5252733747385685e-05, 0.00015403530449908996, 0.001333355814649324,   0.009618129107599958,
      0.05550410866482133,    0.24022650695910117,    0.6931471805599453,     1.0};
};

/// 2^x of doubles, with zeros and NaN as `exponential` has them.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V x) {
  using C = PowerOfTwoConstants;
  const V rounded = hn::Add(x, hn::Set(d, C::magic));
  const V r = hn::Sub(x, hn::Sub(rounded, hn::Set(d, C::magic)));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, C::lowest)), scaled_polynomial<C>(d, r, rounded));
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
