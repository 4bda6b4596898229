// Inner products of 8-bit codes, included once per instruction set: hence the guard that toggles.
#if defined(BISECTOR_SIMD_CODE_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_CODE_PRODUCTS_INL_H_
#undef BISECTOR_SIMD_CODE_PRODUCTS_INL_H_
#else
#define BISECTOR_SIMD_CODE_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/simd/code_kernels.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of a block of columns; a panel is a multiple of them at every level.
constexpr int kCodeVectors = 3;
/// The signs of four bytes: with them flipped, a stored byte q + 128 is the signed byte q.
constexpr auto kSignBits = static_cast<std::int32_t>(0x80808080u);

// A policy has step(d, points, row, sum), which adds the products of the four bytes of `points` and
// the four signed bytes of `row` in every 32-bit lane, and kRows rows of a block, whose sums stay
// in registers. The bytes of points are unsigned as stored, or signed codes if kIsSigned.

/// Any instruction set: byte by byte, in 32 bits.
struct AnyDot {
  static constexpr std::string_view kName = "32-bit products";
  static constexpr int kLargestRowCode = 127, kRows = 2;
  static constexpr bool kIsFast = false, kIsSigned = false;

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V step(D d, V points, V row, V sum) {
    const auto byte = hn::Set(d, 255);
    sum = hn::Add(sum, hn::Mul(hn::And(points, byte), hn::ShiftRight<24>(hn::ShiftLeft<24>(row))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<8>(points), byte),
                               hn::ShiftRight<24>(hn::ShiftLeft<16>(row))));
    sum = hn::Add(sum, hn::Mul(hn::And(hn::ShiftRight<16>(points), byte),
                               hn::ShiftRight<24>(hn::ShiftLeft<8>(row))));
    return hn::Add(sum,
                   hn::Mul(hn::And(hn::ShiftRight<24>(points), byte), hn::ShiftRight<24>(row)));
  }
};

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
/// Intel's 8-bit multiply-add. Its sums of two products saturate at 16 bits, so codes of rows have
/// 6 bits and a sign: 2 * 255 * 63 < 2^15.
struct PairDot {
  static constexpr std::string_view kName = HWY_TARGET == HWY_SSE4   ? "sse4 maddubs"
                                            : HWY_TARGET == HWY_AVX2 ? "avx2 maddubs"
                                                                     : "avx512 maddubs";
  static constexpr int kLargestRowCode = 63, kRows = HWY_TARGET == HWY_AVX3 ? 8 : 2;
  static constexpr bool kIsFast = HWY_TARGET != HWY_SSE4, kIsSigned = false;

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V step(D, V points, V row, V sum) {
#if HWY_TARGET == HWY_SSE4
    return V{_mm_add_epi32(
        sum.raw, _mm_madd_epi16(_mm_maddubs_epi16(points.raw, row.raw), _mm_set1_epi16(1)))};
#elif HWY_TARGET == HWY_AVX2
    return V{_mm256_add_epi32(sum.raw, _mm256_madd_epi16(_mm256_maddubs_epi16(points.raw, row.raw),
                                                         _mm256_set1_epi16(1)))};
#else
    return V{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(_mm512_maddubs_epi16(points.raw, row.raw),
                                                         _mm512_set1_epi16(1)))};
#endif
  }
};
using PlainDot = PairDot;
#elif HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
/// Products of bytes in 16 bits, of which two fit: 2 * 127 * 127 < 2^15. As many instructions as
/// products of floats take.
struct WideningDot {
  static constexpr std::string_view kName = "neon smull";
  static constexpr int kLargestRowCode = 127, kRows = 4;
  static constexpr bool kIsFast = false, kIsSigned = true;

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V step(D, V points, V row, V sum) {
    const int8x16_t u = vreinterpretq_s8_s32(points.raw), x = vreinterpretq_s8_s32(row.raw);
    const int16x8_t pairs =
        vpaddq_s16(vmull_s8(vget_low_s8(u), vget_low_s8(x)), vmull_high_s8(u, x));
    return V(vpadalq_s16(sum.raw, pairs));
  }
};
using PlainDot = WideningDot;
#else
using PlainDot = AnyDot;
#endif

#if (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3) && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
/// The 8-bit dot products of VNNI, which the caller has checked for. Highway's targets here do not
/// have them, so the compiler does not know the instruction, but the assembler does.
struct VnniDot {
  static constexpr std::string_view kName = HWY_TARGET == HWY_AVX2 ? "avx-vnni" : "avx512-vnni";
  static constexpr int kLargestRowCode = 127, kRows = HWY_TARGET == HWY_AVX3 ? 8 : 4;
  static constexpr bool kIsFast = true, kIsSigned = false;

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V step(D, V points, V row, V sum) {
#if HWY_TARGET == HWY_AVX2
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(points.raw), "x"(row.raw));
#else
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(points.raw), "v"(row.raw));
#endif
    return sum;
  }
};
using FastDot = VnniDot;
#elif HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
/// The 8-bit dot products of ARMv8.2, which the caller has checked for, as above.
struct SignedDot {
  static constexpr std::string_view kName = "neon sdot";
  static constexpr int kLargestRowCode = 127, kRows = 4;
  static constexpr bool kIsFast = true, kIsSigned = true;

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V step(D, V points, V row, V sum) {
#if defined(__ARM_FEATURE_DOTPROD)
    return V(vdotq_s32(sum.raw, vreinterpretq_s8_s32(points.raw), vreinterpretq_s8_s32(row.raw)));
#else
    __asm__(".arch armv8.2-a+crypto+dotprod\n\tsdot %0.4s, %1.16b, %2.16b"
            : "+w"(sum.raw)
            : "w"(points.raw), "w"(row.raw));
    return sum;
#endif
  }
};
using FastDot = SignedDot;
#else
using FastDot = PlainDot;
#endif

/// The sums of the products of the codes of some rows and one unit of columns.
template <class Dot, int rows, class V>
HWY_INLINE void sum_codes(const CodeRow* row, const CodeColumns& points, std::size_t column,
                          V (&sum)[rows][kCodeVectors]) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t lanes = hn::Lanes(d), quads = points.quads;
  const auto* panel = reinterpret_cast<const std::int32_t*>(points.panels) +
                      column / kCodePanel * kCodePanel * quads + column % kCodePanel;
  const std::int8_t* codes[rows];
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    codes[r] = row[r].codes;
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kCodeVectors; ++v)
      sum[r][v] = hn::Set(d, Dot::kIsSigned ? 0 : row[r].start);
  }
  for (std::size_t q = 0; q < quads; ++q) {
    V right[kCodeVectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kCodeVectors; ++v) {
      right[v] = hn::LoadU(d, panel + q * kCodePanel + static_cast<std::size_t>(v) * lanes);
      if (Dot::kIsSigned) right[v] = hn::Xor(right[v], hn::Set(d, kSignBits));
    }
    BISECTOR_UNROLL(8)
    for (int r = 0; r < rows; ++r) {
      std::int32_t four;
      std::memcpy(&four, codes[r] + 4 * q, sizeof four);
      const V left = hn::Set(d, four);
      BISECTOR_UNROLL(4)
      for (int v = 0; v < kCodeVectors; ++v) sum[r][v] = Dot::step(d, right[v], left, sum[r][v]);
    }
  }
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
