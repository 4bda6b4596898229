// Products with the coordinates of points and their squares, which are computed in the product.
// Included by kernels.cpp once per instruction set: hence the guard that toggles.
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
#include "core/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace bisector::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The tag of numbers of type T with as many lanes as the tag of doubles.
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

/// `vectors` vectors of coordinates from `from` on, or their squares, of every point: one point per
/// row of a panel. The last vector ends with coordinate `count`, and may repeat some of the one
/// before.
template <bool square, int vectors, class T, class Wide>
HWY_INLINE void pack_vectors(Wide wide, const double* const* HWY_RESTRICT points, std::size_t depth,
                             const double* HWY_RESTRICT center, std::size_t first, std::size_t from,
                             std::size_t count, T* HWY_RESTRICT panel) {
  const Narrow<T, Wide> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  const std::size_t last = std::min(from + (vectors - 1) * lanes, count - lanes);
  hn::Vec<Wide> middle[vectors];
  BISECTOR_UNROLL(4)
  for (int v = 0; v < vectors; ++v)
    middle[v] =
        hn::LoadU(wide, center + first +
                            (v + 1 < vectors ? from + static_cast<std::size_t>(v) * lanes : last));
  for (std::size_t k = 0; k < depth; ++k, panel += kPanelWidth<T>) {
    const double* HWY_RESTRICT point = points[k] + first;
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      const std::size_t at = v + 1 < vectors ? from + static_cast<std::size_t>(v) * lanes : last;
      auto u = hn::Sub(hn::LoadU(wide, point + at), middle[v]);
      if constexpr (square) u = hn::Mul(u, u);
      hn::StoreU(narrowed<T>(wide, u), narrow, panel + at);
    }
  }
}

/// `count` coordinates of every point from feature `first` on, or their squares.
template <bool square, class T>
void pack_coordinates(const MomentPoints& of, std::size_t point, std::size_t depth,
                      std::size_t first, std::size_t count, T* panel) {
  if (count == 0) return;
  const double* const* points = of.points + point;
  const double* center = of.center;
  with_vectors_of(count, [=](auto wide) HWY_ATTR {
    const std::size_t lanes = hn::Lanes(wide);
    for (std::size_t done = 0; done < count; done += 3 * lanes) {
      if (count - done > 2 * lanes)
        pack_vectors<square, 3, T>(wide, points, depth, center, first, done, count, panel);
      else if (count - done > lanes)
        pack_vectors<square, 2, T>(wide, points, depth, center, first, done, count, panel);
      else
        pack_vectors<square, 1, T>(wide, points, depth, center, first, done, count, panel);
    }
  });
}

/// `count` columns of the moments from `column` on: coordinates, and behind the last of them
/// squares.
template <class T>
void pack_moments(const MomentPoints& of, std::size_t point, std::size_t depth, std::size_t column,
                  std::size_t count, T* HWY_RESTRICT panel) {
  const std::size_t coordinates = std::min(of.features - std::min(column, of.features), count);
  pack_coordinates<false>(of, point, depth, column, coordinates, panel);
  pack_coordinates<true>(of, point, depth, column + coordinates - of.features, count - coordinates,
                         panel + coordinates);
}

/// Prefetches the points that are packed next, one share per block of rows.
struct PointsAhead {
  const double* const* points;
  std::size_t count, first, bytes;  // from coordinate `first` on

  HWY_INLINE void operator()(std::size_t row, std::size_t rows) const {
    const std::size_t last = count * (row + kRows) / rows;
    for (std::size_t k = count * row / rows; k < last; ++k) fetch(points[k] + first, bytes);
  }
};

/// Clears the numbers after the first `columns` of a panel, up to whole vectors, because they are
/// multiplied, too.
template <class T>
HWY_INLINE void clear_beyond(T* panel, std::size_t depth, std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t end = std::min(kPanelWidth<T>, (columns + lanes - 1) / lanes * lanes);
  for (std::size_t k = 0; k < depth && columns < end; ++k)
    std::fill(panel + k * kPanelWidth<T> + columns, panel + k * kPanelWidth<T> + end, T{0});
}

/// Coordinates of points, or their squares, as the right-hand side of the first block of rows. It
/// also stores them in a panel for the next blocks, so that packing costs no pass of its own.
template <bool square>
struct MomentRows {
  const double* const* HWY_RESTRICT points;
  std::size_t first;  // coordinate
  const double* HWY_RESTRICT center;
  double* HWY_RESTRICT panel;

  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, std::size_t k, int v) const {
    const std::size_t at = static_cast<std::size_t>(v) * hn::Lanes(d);
    auto u = hn::Sub(hn::LoadU(d, points[k] + first + at), hn::LoadU(d, center + first + at));
    if constexpr (square) u = hn::Mul(u, u);
    hn::StoreU(u, d, panel + k * kPanelWidth<double> + at);
    return u;
  }
};

/// For many rows: a block of the moments is packed into the first-level cache and multiplied with
/// all rows.
template <class T>
class PackedMoments {
 public:
  PackedMoments(const T* a, std::size_t a_stride, std::size_t rows, const MomentPoints& of,
                std::size_t depth, T* c, std::size_t c_stride, bool accumulate)
      : a_(a),
        a_stride_(a_stride),
        rows_(rows),
        of_(of),
        depth_(depth),
        block_(depth_block<T>(depth)),
        c_(c),
        c_stride_(c_stride),
        accumulate_(accumulate) {}

  void run() {
    const std::size_t columns = of_.columns();
    clear_beyond(panel_, block_, columns);
    for (std::size_t column = 0; column < columns; column += kWidth) {
      for (std::size_t k = 0; k < depth_; k += block_)
        run_block(column, std::min(kWidth, columns - column), k);
    }
  }

 private:
  static constexpr std::size_t kWidth = kPanelWidth<T>;

  void run_block(std::size_t column, std::size_t columns, std::size_t k) {
    const std::size_t count = std::min(depth_ - k, block_);
    const bool is_square = column >= of_.features;
    const bool is_one_kind = is_square || column + columns <= of_.features;
    if constexpr (std::is_same_v<T, double>) {
      // Whole vectors of one kind need no packing of their own.
      if (is_one_kind && columns % hn::Lanes(hn::ScalableTag<T>()) == 0 && rows_ >= kRows) {
        if (is_square)
          return run_strips(column, columns, k, count, [&](std::size_t n) HWY_ATTR {
            return MomentRows<true>{of_.points + k, column + n - of_.features, of_.center,
                                    panel_ + n};
          });
        return run_strips(column, columns, k, count, [&](std::size_t n) HWY_ATTR {
          return MomentRows<false>{of_.points + k, column + n, of_.center, panel_ + n};
        });
      }
    }
    pack_moments(of_, k, count, column, columns, panel_);
    run_strips(column, columns, k, count,
               [&](std::size_t n) HWY_ATTR { return PanelRows<T>{panel_ + n}; });
  }

  /// `first_rows(n)` is what the first rows of a strip from column n on read.
  template <class FirstRows>
  void run_strips(std::size_t column, std::size_t columns, std::size_t k, std::size_t count,
                  const FirstRows& first_rows) {
    const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
    const PointsAhead ahead = after(column, k);
    for (std::size_t n = 0; n < columns; n += width)
      run_strip<InnerProduct>(columns - n, a_ + k, a_stride_, rows_, first_rows(n), panel_ + n,
                              count, c_ + column + n, c_stride_, accumulate_ || k > 0, ahead);
  }

  /// What is packed after the block of a column and a point.
  PointsAhead after(std::size_t column, std::size_t k) const {
    const bool is_last = k + block_ >= depth_;
    const std::size_t point = is_last ? 0 : k + block_;
    const std::size_t next = is_last ? column + kWidth : column;
    if (next >= of_.columns()) return {nullptr, 0, 0, 0};
    const std::size_t feature = next < of_.features ? next : next - of_.features;
    return {of_.points + point, std::min(depth_ - point, block_), feature,
            std::min(kWidth, of_.features - feature) * sizeof(double)};
  }

  const T* a_;
  std::size_t a_stride_, rows_;
  const MomentPoints& of_;
  std::size_t depth_, block_;
  T* c_;
  std::size_t c_stride_;
  bool accumulate_;
  HWY_ALIGN T panel_[kDepthBlock<T> * kWidth];
};

/// The arguments of a product with the moments of points, for a few rows.
template <class T>
struct MomentProduct {
  const T* a;
  std::size_t a_stride;
  MomentPoints of;
  std::size_t depth;
  T* c;
  std::size_t c_stride;
  bool accumulate;

  /// The feature that vector `v` of a block starts with: vectors that would end behind the last
  /// feature end with it.
  HWY_INLINE std::size_t at(std::size_t feature, int v, std::size_t lanes) const {
    return std::min(feature + static_cast<std::size_t>(v) * lanes, of.features - lanes);
  }
};

/// The sums of `vectors` vectors of coordinates from `feature` on, and of their squares.
template <bool squares, class Wide, int rows, int vectors, class T, class V>
HWY_INLINE void sum_moment_block(const MomentProduct<T>& product, std::size_t feature,
                                 V (&first)[rows][vectors], V (&second)[rows][vectors]) {
  const Wide wide;
  const Narrow<T, Wide> d;
  const std::size_t lanes = hn::Lanes(d), features = product.of.features;
  hn::Vec<Wide> center[vectors];
  std::size_t at[vectors];
  BISECTOR_UNROLL(4)
  for (int v = 0; v < vectors; ++v) {
    at[v] = product.at(feature, v, lanes);
    center[v] = hn::LoadU(wide, product.of.center + at[v]);
    BISECTOR_UNROLL(4)
    for (int r = 0; r < rows; ++r) {
      const T* from = product.c + r * product.c_stride + at[v];
      first[r][v] = product.accumulate ? hn::LoadU(d, from) : hn::Zero(d);
      second[r][v] = product.accumulate && squares ? hn::LoadU(d, from + features) : hn::Zero(d);
    }
  }
  const T* HWY_RESTRICT a = product.a;
  const double* const* HWY_RESTRICT points = product.of.points;
  const std::size_t a_stride = product.a_stride, depth = product.depth;
  for (std::size_t k = 0; k < depth; ++k) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      const auto u = hn::Sub(hn::LoadU(wide, points[k] + at[v]), center[v]);
      const auto coordinate = narrowed<T>(wide, u);
      const auto square = narrowed<T>(wide, squares ? hn::Mul(u, u) : u);
      BISECTOR_UNROLL(4)
      for (int r = 0; r < rows; ++r) {
        const auto weight = hn::Set(d, a[r * a_stride + k]);
        first[r][v] = hn::MulAdd(weight, coordinate, first[r][v]);
        if constexpr (squares) second[r][v] = hn::MulAdd(weight, square, second[r][v]);
      }
    }
  }
}

template <bool squares, class Wide, int rows, int vectors, class T, class V>
HWY_INLINE void store_moment_block(const MomentProduct<T>& product, std::size_t feature,
                                   const V (&first)[rows][vectors],
                                   const V (&second)[rows][vectors]) {
  const Narrow<T, Wide> d;
  BISECTOR_UNROLL(4)
  for (int r = 0; r < rows; ++r) {
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      T* to = product.c + r * product.c_stride + product.at(feature, v, hn::Lanes(d));
      hn::StoreU(first[r][v], d, to);
      if constexpr (squares) hn::StoreU(second[r][v], d, to + product.of.features);
    }
  }
}

template <bool squares, int rows, int vectors, class Wide, class T>
HWY_INLINE void run_moment_block(const MomentProduct<T>& product, std::size_t feature) {
  hn::Vec<Narrow<T, Wide>> first[rows][vectors], second[rows][vectors];
  sum_moment_block<squares, Wide>(product, feature, first, second);
  store_moment_block<squares, Wide>(product, feature, first, second);
}

/// For few rows: packing would cost more than the product.
template <bool squares, int rows, class T>
void multiply_few_rows(const MomentProduct<T>& product) {
  constexpr int kWide = rows == 1 ? 4 : 2;  // vectors whose sums stay in registers
  const std::size_t features = product.of.features;
  with_vectors_of(features, [&](auto wide) HWY_ATTR {
    using Wide = decltype(wide);
    const std::size_t lanes = hn::Lanes(wide);
    if (features <= lanes) return run_moment_block<squares, rows, 1, Wide>(product, 0);
    if (features <= 2 * lanes) return run_moment_block<squares, rows, 2, Wide>(product, 0);
    // The last vectors may overlap those before them. They start from the sums in `c`, so they are
    // summed before and stored after all others.
    const std::size_t width = kWide * lanes, whole = (features - 1) / width * width;
    hn::Vec<Narrow<T, Wide>> first[rows][kWide], second[rows][kWide];
    sum_moment_block<squares, Wide>(product, whole, first, second);
    for (std::size_t feature = 0; feature < whole; feature += width)
      run_moment_block<squares, rows, kWide, Wide>(product, feature);
    store_moment_block<squares, Wide>(product, whole, first, second);
  });
}

template <class T>
void multiply_moments(const T* a, std::size_t a_stride, std::size_t rows,
                      const double* const* points, std::size_t depth, const double* center,
                      std::size_t features, bool squares, T* c, std::size_t c_stride,
                      bool accumulate) {
  // Rows that are too few for packing to pay: more, if all features stay in registers.
  constexpr std::size_t kTogether = 4;
  const std::size_t few = features <= 2 * hn::Lanes(hn::ScalableTag<double>()) ? 12 : 2;
  const MomentPoints of{points, center, features, squares};
  if (rows > few)
    return PackedMoments<T>(a, a_stride, rows, of, depth, c, c_stride, accumulate).run();
  const auto run = [&](auto multiply, std::size_t r) HWY_ATTR {
    multiply({a + r * a_stride, a_stride, of, depth, c + r * c_stride, c_stride, accumulate});
  };
  std::size_t r = 0;
  for (; r + kTogether <= rows; r += kTogether)
    run(squares ? &multiply_few_rows<true, kTogether, T> : &multiply_few_rows<false, kTogether, T>,
        r);
  for (; r < rows; ++r)
    run(squares ? &multiply_few_rows<true, 1, T> : &multiply_few_rows<false, 1, T>, r);
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
