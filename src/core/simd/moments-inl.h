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
#include "core/simd/unroll.h"

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
  with_vectors_of(count, [=](auto wide) {
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

/// The points that are packed next, fetched in as many shares as there are blocks of rows.
struct PointsAhead {
  const double* const* points;
  std::size_t count, first, bytes;  // from coordinate `first` on

  HWY_INLINE void operator()(std::size_t row, std::size_t rows) const {
    const std::size_t last = count * (row + kRows) / rows;
    for (std::size_t k = count * row / rows; k < last; ++k) fetch(points[k] + first, bytes);
  }
};

/// The numbers of a panel behind its first `columns`, up to whole vectors: they are multiplied,
/// too.
template <class T>
HWY_INLINE void clear_beyond(T* panel, std::size_t depth, std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t end = std::min(kPanelWidth<T>, (columns + lanes - 1) / lanes * lanes);
  for (std::size_t k = 0; k < depth && columns < end; ++k)
    std::fill(panel + k * kPanelWidth<T> + columns, panel + k * kPanelWidth<T> + end, T{0});
}

/// Coordinates of points, or their squares, as the right-hand side of a block, which leaves them in
/// a panel for the blocks below it: packing hides behind the sums of the first.
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

/// For many rows: a block of the moments is packed into the first-level cache, and all rows go past
/// it as in a product.
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
          return run_strips(column, columns, k, count, [&](std::size_t n) {
            return MomentRows<true>{of_.points + k, column + n - of_.features, of_.center,
                                    panel_ + n};
          });
        return run_strips(column, columns, k, count, [&](std::size_t n) {
          return MomentRows<false>{of_.points + k, column + n, of_.center, panel_ + n};
        });
      }
    }
    pack_moments(of_, k, count, column, columns, panel_);
    run_strips(column, columns, k, count, [&](std::size_t n) { return PanelRows<T>{panel_ + n}; });
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

/// The sums of `vectors` vectors of coordinates, and of their squares, for some rows.
template <int rows, int vectors, class T, class Wide>
struct MomentSums {
  using Tag = Narrow<T, Wide>;
  hn::Vec<Tag> first[rows][vectors], second[rows][vectors];
  std::size_t at[vectors];  // the features that the vectors start with

  /// From feature `feature` on; vectors that would end behind the last feature end with it.
  HWY_INLINE MomentSums(const MomentPoints& of, std::size_t feature, const T* c,
                        std::size_t c_stride, bool accumulate) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v)
      at[v] = std::min(feature + static_cast<std::size_t>(v) * lanes, of.features - lanes);
    BISECTOR_UNROLL(4)
    for (int r = 0; r < rows; ++r) {
      BISECTOR_UNROLL(4)
      for (int v = 0; v < vectors; ++v) {
        const T* from = c + r * c_stride + at[v];
        first[r][v] = accumulate ? hn::LoadU(d, from) : hn::Zero(d);
        second[r][v] = accumulate && of.squares ? hn::LoadU(d, from + of.features) : hn::Zero(d);
      }
    }
  }

  template <bool squares>
  HWY_INLINE void add(const MomentPoints& of, const T* HWY_RESTRICT a, std::size_t a_stride,
                      std::size_t depth) {
    const Wide wide;
    const Tag d;
    hn::Vec<Wide> center[vectors];
    BISECTOR_UNROLL(4)
    for (int v = 0; v < vectors; ++v) center[v] = hn::LoadU(wide, of.center + at[v]);
    for (std::size_t k = 0; k < depth; ++k) {
      BISECTOR_UNROLL(4)
      for (int v = 0; v < vectors; ++v) {
        const auto u = hn::Sub(hn::LoadU(wide, of.points[k] + at[v]), center[v]);
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

  HWY_INLINE void store(const MomentPoints& of, T* c, std::size_t c_stride) const {
    const Tag d;
    BISECTOR_UNROLL(4)
    for (int r = 0; r < rows; ++r) {
      BISECTOR_UNROLL(4)
      for (int v = 0; v < vectors; ++v) {
        hn::StoreU(first[r][v], d, c + r * c_stride + at[v]);
        if (of.squares) hn::StoreU(second[r][v], d, c + r * c_stride + of.features + at[v]);
      }
    }
  }
};

template <int rows, int vectors, class T, class Wide>
HWY_INLINE MomentSums<rows, vectors, T, Wide> sum_block(const T* a, std::size_t a_stride,
                                                        const MomentPoints& of, std::size_t feature,
                                                        std::size_t depth, const T* c,
                                                        std::size_t c_stride, bool accumulate) {
  MomentSums<rows, vectors, T, Wide> sums(of, feature, c, c_stride, accumulate);
  if (of.squares)
    sums.template add<true>(of, a, a_stride, depth);
  else
    sums.template add<false>(of, a, a_stride, depth);
  return sums;
}

/// For few rows: packing would cost more than the product.
template <int rows, class T>
void multiply_few_rows(const T* a, std::size_t a_stride, const MomentPoints& of, std::size_t depth,
                       T* c, std::size_t c_stride, bool accumulate) {
  constexpr int kWide = rows == 1 ? 4 : 2;  // vectors whose sums stay in registers
  with_vectors_of(of.features, [&](auto wide) {
    using Wide = decltype(wide);
    const std::size_t lanes = hn::Lanes(wide);
    if (of.features <= lanes)
      return sum_block<rows, 1, T, Wide>(a, a_stride, of, 0, depth, c, c_stride, accumulate)
          .store(of, c, c_stride);
    if (of.features <= 2 * lanes)
      return sum_block<rows, 2, T, Wide>(a, a_stride, of, 0, depth, c, c_stride, accumulate)
          .store(of, c, c_stride);
    // The last vectors may overlap those before them, so they start from sums that are still old
    // and are stored when all others are.
    const std::size_t width = kWide * lanes, whole = (of.features - 1) / width * width;
    const auto last =
        sum_block<rows, kWide, T, Wide>(a, a_stride, of, whole, depth, c, c_stride, accumulate);
    for (std::size_t feature = 0; feature < whole; feature += width)
      sum_block<rows, kWide, T, Wide>(a, a_stride, of, feature, depth, c, c_stride, accumulate)
          .store(of, c, c_stride);
    last.store(of, c, c_stride);
  });
}

template <class T>
void multiply_moments(const T* a, std::size_t a_stride, std::size_t rows,
                      const double* const* points, std::size_t depth, const double* center,
                      std::size_t features, bool squares, T* c, std::size_t c_stride,
                      bool accumulate) {
  // Rows that do not pay for packing: more of them where all features stay in registers.
  constexpr std::size_t kTogether = 4;
  const std::size_t few = features <= 2 * hn::Lanes(hn::ScalableTag<double>()) ? 12 : 2;
  const MomentPoints of{points, center, features, squares};
  if (rows > few)
    return PackedMoments<T>(a, a_stride, rows, of, depth, c, c_stride, accumulate).run();
  std::size_t r = 0;
  for (; r + kTogether <= rows; r += kTogether)
    multiply_few_rows<kTogether>(a + r * a_stride, a_stride, of, depth, c + r * c_stride, c_stride,
                                 accumulate);
  for (; r < rows; ++r)
    multiply_few_rows<1>(a + r * a_stride, a_stride, of, depth, c + r * c_stride, c_stride,
                         accumulate);
}

}  // namespace bisector::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggling guard
