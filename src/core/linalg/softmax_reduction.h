// The pass at the heart of the method: attention over weighted points. For a tile of rows x it
// computes, without ever storing more than a tile of scores,
//
//     e_k(x) = log_weight_k - gamma |x - u_k|^2        the exponents
//     L(x)   = log sum_k exp(e_k)                      the log-sum-exp
//     m(x)   = sum_k exp(e_k - L) value_k              the softmax-weighted mean of the values
//
// by tiles of points: inner products, exponentials against a running maximum, and a second product
// back into the values, which is rescaled whenever the maximum moves. Many points are cut into
// shards, whose states merge in a fixed order: so threads may share the points of one row, and
// neither their number nor the other rows change a bit.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/lines.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/point_set.h"
#include "core/linalg/value_product.h"

namespace bisector::linalg {

/// Points whose state is computed in one go, a multiple of both panel widths. Part of the result:
/// another number adds in another order.
inline constexpr std::size_t kPointShard = 16896;

/// How |x - u|^2 is computed. By |u|^2 - 2 x.u (|x|^2 is the same for all points), which errs by
/// about eps |u| (|u| + 2 |x|), or as it stands, which errs by about eps |x - u|^2: better for
/// neighbors, worse for a far-away x, and slower.
enum class DistanceForm { inner_products, differences };

/// The state of a tile of rows after some points; states of different points merge.
template <class T>
struct SoftmaxState {
  std::vector<double> largest;  // the running maximum of a row's exponents
  std::vector<double> sum;      // sum_k exp(e_k - largest)
  AlignedVector<T> weighted;    // rows x stride: sum_k exp(e_k - largest) value_k
  std::size_t stride = 0;

  /// Adds the state after further points, with the same rows and columns.
  void merge(const SoftmaxState& other);

  std::span<const T> weighted_row(std::size_t row, std::size_t columns) const {
    return {weighted.data() + row * stride, columns};
  }
};

template <class T>
class SoftmaxReduction {
 public:
  /// Points with one log-weight each. Without `values`, SxV, what is averaged are the moments: a
  /// point's coordinates relative to the center and, with two moments, then their squares: D or 2D
  /// columns that double precision stores for small models only. The center is best the points'
  /// mean: the error of inner products grows with their distance from it.
  SoftmaxReduction(std::shared_ptr<const PointPanels<T>> panels,
                   std::span<const double> log_weights, double gamma,
                   std::optional<SharedMatrix> values, std::size_t moments);

  std::size_t size() const { return panels_->points().size(); }
  /// `rows`: at most kRowTile, relative to the center. Only the first `value_columns` values are
  /// averaged (zero: the log-sum-exp alone; of moments D or 2D). With DistanceForm::inner_products
  /// the exponents lack -gamma |x|^2; the other form is for double precision alone.
  SoftmaxState<T> reduce(MatrixView<const T> rows, DistanceForm form, std::size_t value_columns,
                         unsigned threads) const;
  /// The same for points on the lines to the rows, by inner products and for the first moments: one
  /// row of the state for every row and step, in this order. A point's products with u follow from
  /// those of its line's ends, so that a step costs no distances of its own.
  SoftmaxState<T> reduce_on_lines(MatrixView<const T> rows, const Lines<T>& lines,
                                  std::size_t value_columns, unsigned threads) const;

 private:
  template <class ReduceShard>  // reduce_shard(first, count) returns their state of `numbers`
  SoftmaxState<T> merge_shards(unsigned threads, std::size_t numbers,
                               const ReduceShard& reduce_shard) const;
  SoftmaxState<T> reduce_shard(MatrixView<const T> rows, DistanceForm form,
                               std::size_t value_columns, std::size_t first,
                               std::size_t count) const;
  SoftmaxState<T> reduce_shard_on_lines(MatrixView<const T> rows, const Lines<T>& lines,
                                        std::size_t value_columns, std::size_t first,
                                        std::size_t count) const;
  SoftmaxState<T> empty_state(std::size_t rows, std::size_t value_columns) const;
  std::size_t tile_size(std::size_t points) const;
  void weigh(std::size_t row, double tile_largest, T* scores, std::size_t count,
             std::size_t value_columns, SoftmaxState<T>& state) const;

  std::shared_ptr<const PointPanels<T>> panels_;
  /// The most points that are summed together. It is part of the result, as kPointShard is, so it
  /// follows from the points' columns and not from those of the values: with and without means, the
  /// log-sum has the same digits.
  std::size_t longest_tile_;
  ValueProduct<T> values_;
  AlignedVector<T> product_bias_;     // log w_k - gamma |u_k|^2, padded with a large negative
  AlignedVector<T> difference_bias_;  // log w_k, likewise; of double precision
  double gamma_;
};

/// Far outside the points, |x - u|^2 and its rounding grow with |x|^2, and those of inner products
/// only with |x|.
inline bool is_far(double radius, double row_norm) { return row_norm > 4.0 * radius; }

/// The form to use for a row of norm `row_norm`: differences where inner products would move an
/// exponent by more than `tolerance`, but never for a row far outside the points, whose own square
/// would drown the differences between them.
template <class T>
DistanceForm choose_form(double gamma, double radius, double row_norm, double tolerance);

/// The bound behind choose_form: how far rounding may move an exponent computed by inner products.
template <class T>
double product_error(double gamma, double radius, double row_norm);

}  // namespace bisector::linalg
