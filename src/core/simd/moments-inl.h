// Products with the coordinates of points and their squares, which are made on the way, included by
// kernels.cpp once per instruction set: hence the guard that toggles.
#if defined(BISECTOR_SIMD_MOMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BISECTOR_SIMD_MOMENTS_INL_H_
#undef BISECTOR_SIMD_MOMENTS_INL_H_
#else
#define BISECTOR_SIMD_MOMENTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/simd/kernels.h"
#include "core/simd/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many numbers of type T as the tag of doubles has.
template <class T, class Wide>
using Narrow = hn::Rebind<T, Wide>;

/// Coordinates and squares are computed as doubles, and rounded to T last.
template <class T, class Wide>
HWY_INLINE hn::Vec<Narrow<T, Wide>> narrowed(Wide, hn::Vec<Wide> value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return hn::DemoteTo(Narrow<T, Wide>(), value);
}

/// Calls use(tag) with the longest vector of doubles that `count` numbers fill.
template <class Use>
HWY_INLINE void with_vectors_of(std::size_t count, const Use& use) {
  const hn::ScalableTag<double> full;
  if (count >= hn::Lanes(full))
    use(full);
  else if (count >= 4)
    use(hn::CappedTag<double, 4>());
  else if (count >= 2)
    use(hn::CappedTag<double, 2>());
  else
    use(hn::CappedTag<double, 1>());
}

/// The points of a product and where the moments of one begin.
struct MomentPoints {
  const double* const* points;
  const double* center;
  std::size_t features;
  bool squares;

  std::size_t columns() const { return squares ? 2 * features : features; }
};

/// `count` coordinates of every point from feature `first` on, or their squares, one point per row
/// of a panel.
template <bool square, class T>
void pack_coordinates(const MomentPoints& of, std::size_t point, std::size_t depth,
                      std::size_t first, std::size_t count, T* HWY_RESTRICT panel) {
  if (count == 0) return;
  with_vectors_of(count, [&](auto wide) {
    const Narrow<T, decltype(wide)> narrow;
    const std::size_t lanes = hn::Lanes(wide);
    for (std::size_t k = 0; k < depth; ++k) {
      const double* HWY_RESTRICT from = of.points[point + k] + first;
      for (std::size_t done = 0; done < count; done += lanes) {
        // The last vector ends with the last coordinate, and may repeat some of the one before.
        const std::size_t at = std::min(done, count - lanes);
        auto u = hn::Sub(hn::LoadU(wide, from + at), hn::LoadU(wide, of.center + first + at));
        if constexpr (square) u = hn::Mul(u, u);
        hn::StoreU(narrowed<T>(wide, u), narrow, panel + k * kPanelWidth<T> + at);
      }
    }
  });
}

/// The columns of the moments from `column` on that one panel has room for; it may have both
/// coordinates and squares.
template <class T>
void pack_moments(const MomentPoints& of, std::size_t point, std::size_t depth, std::size_t column,
                  T* HWY_RESTRICT panel) {
  const std::size_t end = std::min(of.columns(), column + kPanelWidth<T>);
  const std::size_t coordinates = std::min(end, of.features);
  const std::size_t squares = std::max(column, of.features);
  if (column < coordinates)
    pack_coordinates<false>(of, point, depth, column, coordinates - column, panel);
  if (squares < end)
    pack_coordinates<true>(of, point, depth, squares - of.features, end - squares,
                           panel + (squares - column));
}

/// The points that are packed next, fetched in as many shares as there are blocks of rows.
struct PointsAhead {
  const double* const* points;
  std::size_t count, first, bytes;  // from coordinate `first` on

  HWY_INLINE void operator()(std::size_t row, std::size_t rows) const {
    const std::size_t last = count * (row + kRows) / rows;
    for (std::size_t k = count * row / rows; k < last; ++k) fetch(points[k] + first, bytes);
  }
};

/// Where a column of the moments has its coordinates, with as many as a panel has.
template <class T>
PointsAhead points_ahead(const MomentPoints& of, std::size_t point, std::size_t count,
                         std::size_t column) {
  const std::size_t first = column < of.features ? column : column - of.features;
  const std::size_t width = std::min(kPanelWidth<T>, of.features - first);
  return {of.points + point, count, first, width * sizeof(double)};
}

/// The numbers of a panel behind its first `columns`, up to whole vectors: they are multiplied,
/// too.
template <class T>
HWY_INLINE void clear_beyond(T* panel, std::size_t depth, std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t end = std::min(kPanelWidth<T>, (columns + lanes - 1) / lanes * lanes);
  for (std::size_t k = 0; k < depth && columns < end; ++k)
    std::fill(panel + k * kPanelWidth<T> + columns, panel + k * kPanelWidth<T> + end, T{0});
}

/// For many rows: a block of the moments is packed into the first-level cache, and all rows go past
/// it as in a product.
template <class T>
void multiply_packed_moments(const T* a, std::size_t a_stride, std::size_t rows,
                             const MomentPoints& of, std::size_t depth, T* c, std::size_t c_stride,
                             bool accumulate) {
  constexpr std::size_t kDepth = kDepthBlock<T>, kWidth = kPanelWidth<T>;
  HWY_ALIGN T panel[kDepth * kWidth];
  const std::size_t columns = of.columns(), width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t n = 0; n < columns; n += kWidth) {
    clear_beyond(panel, std::min(depth, kDepth), columns - n);
    for (std::size_t k = 0; k < depth; k += kDepth) {
      const std::size_t count = std::min(depth - k, kDepth);
      pack_moments(of, k, count, n, panel);
      const bool is_last = k + kDepth >= depth;
      const std::size_t next = is_last ? 0 : k + kDepth;
      const PointsAhead ahead = points_ahead<T>(of, next, std::min(depth - next, kDepth),
                                                is_last ? (n + kWidth) % columns : n);
      const std::size_t end = std::min(columns, n + kWidth);
      for (std::size_t column = n; column < end; column += width)
        run_strip<InnerProduct>(end - column, a + k, a_stride, rows, panel + (column - n), count,
                                c + column, c_stride, accumulate || k > 0, ahead);
    }
  }
}

/// The sums of `vectors` vectors of coordinates, and of their squares, for one row.
template <int vectors, class T, class Wide>
struct RowMoments {
  using Tag = Narrow<T, Wide>;
  hn::Vec<Tag> first[vectors], second[vectors];
  std::size_t at[vectors];  // the features that the vectors start with

  HWY_INLINE void load(const MomentPoints& of, const T* c, bool accumulate) {
    const Tag d;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      first[v] = accumulate ? hn::LoadU(d, c + at[v]) : hn::Zero(d);
      second[v] = accumulate && of.squares ? hn::LoadU(d, c + of.features + at[v]) : hn::Zero(d);
    }
  }

  template <bool squares>
  HWY_INLINE void add(const MomentPoints& of, const T* HWY_RESTRICT a, std::size_t depth) {
    const Wide wide;
    const Tag d;
    hn::Vec<Wide> center[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) center[v] = hn::LoadU(wide, of.center + at[v]);
    for (std::size_t k = 0; k < depth; ++k) {
      const auto weight = hn::Set(d, a[k]);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const auto u = hn::Sub(hn::LoadU(wide, of.points[k] + at[v]), center[v]);
        first[v] = hn::MulAdd(weight, narrowed<T>(wide, u), first[v]);
        if constexpr (squares)
          second[v] = hn::MulAdd(weight, narrowed<T>(wide, hn::Mul(u, u)), second[v]);
      }
    }
  }

  HWY_INLINE void store(const MomentPoints& of, T* c) const {
    const Tag d;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      hn::StoreU(first[v], d, c + at[v]);
      if (of.squares) hn::StoreU(second[v], d, c + of.features + at[v]);
    }
  }
};

template <int vectors, class T, class Wide>
HWY_INLINE RowMoments<vectors, T, Wide> row_moments(const MomentPoints& of, std::size_t feature,
                                                    const T* a, std::size_t depth, const T* c,
                                                    bool accumulate) {
  RowMoments<vectors, T, Wide> sums;
  const std::size_t lanes = hn::Lanes(Wide());
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v)
    sums.at[v] = std::min(feature + static_cast<std::size_t>(v) * lanes, of.features - lanes);
  sums.load(of, c, accumulate);
  if (of.squares)
    sums.template add<true>(of, a, depth);
  else
    sums.template add<false>(of, a, depth);
  return sums;
}

/// For one row: packing would cost more than the product.
template <class T>
void multiply_row_moments(const T* a, const MomentPoints& of, std::size_t depth, T* c,
                          bool accumulate) {
  with_vectors_of(of.features, [&](auto wide) {
    using Wide = decltype(wide);
    const std::size_t lanes = hn::Lanes(wide), features = of.features;
    if (features <= lanes)
      return row_moments<1, T, Wide>(of, 0, a, depth, c, accumulate).store(of, c);
    if (features <= 2 * lanes)
      return row_moments<2, T, Wide>(of, 0, a, depth, c, accumulate).store(of, c);
    // The last vectors may overlap those before them, so they start from sums that are still old
    // and are stored when all others are.
    const std::size_t whole = (features - 1) / (4 * lanes) * 4 * lanes;
    const auto last = row_moments<4, T, Wide>(of, whole, a, depth, c, accumulate);
    for (std::size_t feature = 0; feature < whole; feature += 4 * lanes)
      row_moments<4, T, Wide>(of, feature, a, depth, c, accumulate).store(of, c);
    last.store(of, c);
  });
}

template <class T>
void multiply_moments(const T* a, std::size_t a_stride, std::size_t rows,
                      const double* const* points, std::size_t depth, const double* center,
                      std::size_t features, bool squares, T* c, std::size_t c_stride,
                      bool accumulate) {
  constexpr std::size_t kFew = 2;
  const MomentPoints of{points, center, features, squares};
  if (rows > kFew)
    return multiply_packed_moments(a, a_stride, rows, of, depth, c, c_stride, accumulate);
  for (std::size_t r = 0; r < rows; ++r)
    multiply_row_moments(a + r * a_stride, of, depth, c + r * c_stride, accumulate);
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
