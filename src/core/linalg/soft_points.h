// The pass at the heart of the method: attention over weighted points. For a tile of rows x it
// computes, without ever storing more than a tile of scores,
//
//     e_k(x) = log_weight_k - gamma |x - u_k|^2        the exponents
//     L(x)   = log sum_k exp(e_k)                      the log-sum-exp
//     m(x)   = sum_k exp(e_k - L) value_k              the softmax-weighted mean of the values
//
// by tiles of points: inner products, exponentials against a running maximum, and a second product
// back into the values, which is rescaled whenever the maximum moves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/aligned_vector.h"
#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {

/// Rows that are processed together.
inline constexpr std::size_t kRowTile = 128;

/// How |x - u|^2 is computed. By |u|^2 - 2 x.u (|x|^2 is the same for all points), which errs by
/// about eps |u| (|u| + 2 |x|), or as it stands, which errs by about eps |x - u|^2: better for
/// neighbours, worse for a far-away x, and slower.
enum class DistanceForm { inner_products, differences };

/// What a pass leaves behind for a tile of rows.
template <class T>
struct SoftSums {
  std::vector<double> largest;  // the running maximum of a row's exponents
  std::vector<double> sum;      // sum_k exp(e_k - largest)
  AlignedVector<T> weighted;    // rows x stride: sum_k exp(e_k - largest) value_k
  std::size_t stride = 0;

  std::span<const T> weighted_row(std::size_t row, std::size_t columns) const {
    return {weighted.data() + row * stride, columns};
  }
};

template <class T>
class SoftPoints {
 public:
  /// `points` SxD with one log-weight each, and their values SxV. Rows and points are best centred:
  /// the error of inner products grows with their distance from the origin.
  SoftPoints(MatrixView<const double> points, std::span<const double> log_weights, double gamma,
             MatrixView<const double> values);

  std::size_t size() const { return points_.columns(); }

  /// `rows` has at most kRowTile rows of D columns; only the first `value_columns` values are
  /// weighted (zero: the log-sum-exp alone). With DistanceForm::inner_products the exponents lack
  /// -gamma |x|^2.
  void reduce(MatrixView<const T> rows, DistanceForm form, std::size_t value_columns,
              SoftSums<T>& sums) const;

 private:
  void weigh(std::size_t row, const T* bias, T scale, T* scores, std::size_t count,
             std::size_t value_columns, SoftSums<T>& sums) const;

  PackedMatrix<T> points_;            // D x S
  PackedMatrix<T> values_;            // S x V
  AlignedVector<T> product_bias_;     // log w_k - gamma |u_k|^2, padded with a large negative
  AlignedVector<T> difference_bias_;  // log w_k, likewise
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
