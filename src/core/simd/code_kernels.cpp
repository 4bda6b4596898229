// Compiled once per instruction set by Highway's foreach_target; the choice of a table is at the
// end.
#include "core/simd/code_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/code_kernels.cpp"
#include "core/simd/targets.h"
//
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "core/simd/code_products-inl.h"
#include "core/simd/hits-inl.h"
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The rounding error bound of the lower bounds is in CodeRow's factors, see CodedRows.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V lower_bound(D d, const CodeRow& row, const CodeColumns& points, std::size_t column,
                         V product) {
  const V rest = hn::Sub(hn::LoadU(d, points.squares + column), product);
  const V less =
      hn::NegMulAdd(hn::Set(d, row.of_residual), hn::LoadU(d, points.residuals + column), rest);
  return hn::NegMulAdd(hn::Set(d, row.of_norm), hn::LoadU(d, points.norms + column), less);
}

/// Calls use(row, column, products) with the products 2 x^.u^ of every row and unit of columns.
template <class Dot, int rows, class Use>
HWY_INLINE void run_block(const CodeRow* row, const CodeColumns& points, std::size_t column,
                          const Use& use) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> integers;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(integers)> sum[rows][kCodeVectors];
  sum_codes<Dot>(row, points, column, sum);
  BISECTOR_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    const auto twice_scale = hn::Set(d, row[r].twice_scale);
    hn::Vec<decltype(d)> product[kCodeVectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kCodeVectors; ++v) {
      const auto scale = hn::LoadU(d, points.scales + column + static_cast<std::size_t>(v) * lanes);
      product[v] = hn::Mul(hn::ConvertTo(d, sum[r][v]), hn::Mul(scale, twice_scale));
    }
    use(static_cast<std::size_t>(r), product);
  }
}

/// The blocks of all rows and columns; use(row, column, products) as above.
template <class Dot, class Use>
HWY_INLINE void run_blocks(const CodeRow* rows, std::size_t count, const CodeColumns& points,
                           std::size_t columns, const Use& use) {
  const std::size_t width = kCodeVectors * hn::Lanes(hn::ScalableTag<float>());
  for (std::size_t n = 0; n < columns; n += width) {
    std::size_t r = 0;
    const auto use_from = [&](std::size_t own, const auto& product)
                              HWY_ATTR { use(r + own, n, product); };
    for (; r + Dot::kRows <= count; r += Dot::kRows)
      run_block<Dot, Dot::kRows>(rows + r, points, n, use_from);
    for (; r < count; ++r) run_block<Dot, 1>(rows + r, points, n, use_from);
  }
}

template <class Dot>
void multiply_codes(const CodeRow* rows, std::size_t count, const CodeColumns& points,
                    std::size_t columns, float* out, std::size_t stride) {
  const hn::ScalableTag<float> d;
  run_blocks<Dot>(rows, count, points, columns,
                  [&](std::size_t r, std::size_t n, const auto& product) HWY_ATTR {
                    for (std::size_t v = 0; v < kCodeVectors; ++v)
                      hn::StoreU(product[v], d, out + r * stride + n + v * hn::Lanes(d));
                  });
}

/// Appends the hits of one row and unit of columns, of which few have any.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Hit<float>* append_bounds(D d, const V (&bound)[kCodeVectors], float limit,
                                     std::size_t row, std::size_t column, Hit<float>* hits) {
  const V smallest = hn::Min(hn::Min(bound[0], bound[1]), bound[2]);
  if (HWY_LIKELY(hn::AllFalse(d, hn::Le(smallest, hn::Set(d, limit))))) return hits;
  for (std::size_t v = 0; v < kCodeVectors; ++v)
    hits = append_hits(d, bound[v], limit, row, column + v * hn::Lanes(d), hits);
  return hits;
}

template <class Dot>
std::size_t find_near(const CodeRow* rows, std::size_t count, const CodeColumns& points,
                      std::size_t columns, const float* limits, Hit<float>* hits) {
  const hn::ScalableTag<float> d;
  Hit<float>* next = hits;
  run_blocks<Dot>(rows, count, points, columns,
                  [&](std::size_t r, std::size_t n, const auto& product) HWY_ATTR {
                    hn::Vec<decltype(d)> bound[kCodeVectors];
                    BISECTOR_UNROLL(4)
                    for (int v = 0; v < kCodeVectors; ++v)
                      bound[v] =
                          lower_bound(d, rows[r], points,
                                      n + static_cast<std::size_t>(v) * hn::Lanes(d), product[v]);
                    next = append_bounds(d, bound, limits[r], r, n, next);
                  });
  return static_cast<std::size_t>(next - hits);
}

std::size_t find_near_blend(const CodeRow& row, const float* HWY_RESTRICT x, float a,
                            const float* HWY_RESTRICT y, float b, const CodeColumns& points,
                            std::size_t columns, float limit, Hit<float>* hits) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto of_x = hn::Set(d, a), of_y = hn::Set(d, b);
  Hit<float>* next = hits;
  for (std::size_t n = 0; n < columns; n += kCodeVectors * lanes) {
    hn::Vec<decltype(d)> bound[kCodeVectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < kCodeVectors; ++v) {
      const std::size_t at = n + static_cast<std::size_t>(v) * lanes;
      const auto product =
          hn::MulAdd(hn::LoadU(d, x + at), of_x, hn::Mul(hn::LoadU(d, y + at), of_y));
      bound[v] = lower_bound(d, row, points, at, product);
    }
    next = append_bounds(d, bound, limit, 0, n, next);
  }
  return static_cast<std::size_t>(next - hits);
}

template <class Dot>
constexpr CodeKernels code_table() {
  return {Dot::kName,           Dot::kLargestRowCode, Dot::kIsFast,
          &multiply_codes<Dot>, &find_near<Dot>,      &find_near_blend};
}

// The products of this level in the order of their speed; of some levels they are the same.
extern const CodeKernels plain_codes, dot_codes;
const CodeKernels plain_codes = code_table<PlainDot>();
const CodeKernels dot_codes = code_table<FastDot>();

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/simd/code_dispatch-inl.h"
#endif
