// The moments of one soft pool at tiles of rows: the softmax over its points and, if the intercept
// belongs to this pool, the virtual point at x.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/point_values.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/mixed_softmax.h"
#include "core/models/kernel_pools.h"

namespace bisector::detail {

/// The exponent of a point that does not exist.
inline constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b)); either may be kNothing.
double log_add(double a, double b);

struct PoolOptions {
  double beta;                    // stiffness of the responsibilities
  bool ignore_intercept = false;  // keep the virtual point out of the means, not out of the sum
  bool single_precision = false;
  std::shared_ptr<const PointValues> values;  // what is averaged; null: nothing but coordinates
};

/// beta and its ratio to gamma: responsibilities are softmax(-beta z) = softmax(ratio e) of the
/// exponents e = -gamma z.
struct Stiffness {
  double beta, ratio;
};

/// A ratio whose exponents would overflow is reduced to the largest that is safe for any row. At
/// that ratio the nearest point of a pool has all of its responsibility.
Stiffness safe_stiffness(const KernelPools& pools, double beta);

/// A pool's sum at a row, and the log of the ratio of two pools' sums. The offsets of the two are
/// equal, or one pool is the virtual point alone and has none. Far away they are large; they are
/// subtracted first, so that they cancel without loss of digits.
inline double pool_sum(const linalg::SoftmaxRow& row) { return std::exp(row.log_total); }
inline double log_ratio(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) {
  return (positive.log_sum - negative.log_sum) + (positive.offset - negative.offset);
}

class PoolMoments {
 public:
  /// `pool` is one of the two of `pools`. Throws InvalidModel if the intercept is to be ignored and
  /// the pool holds nothing else.
  PoolMoments(const KernelPools& pools, const SoftPool& pool, std::optional<double> log_intercept,
              Stiffness stiffness, const PoolOptions& options);

  /// For at most linalg::kRowTile rows relative to the center: the logs of the pool's sum (of
  /// stiffness gamma, with and without the virtual point) and the means of the first `columns`
  /// values under the responsibilities (of stiffness beta). Kernels other than the Gaussian give
  /// the log of the slope: of the factor that turns the difference of the mean and x into half of
  /// the sum's gradient. They also give the effective distance, at which the kernel is the pool's
  /// part of all weights. The sums have the same digits for any number of columns.
  linalg::SoftmaxRows run(MatrixView<const double> centered, std::size_t columns,
                          unsigned threads) const;

  /// The first moments under the responsibilities at points on the lines to the rows: one row of
  /// means for every row and step, in this order.
  linalg::SoftmaxRows run_on_lines(MatrixView<const double> centered,
                                   const linalg::Lines<double>& lines, unsigned threads) const;

  /// The exponent of the virtual point in the pool's sum; minus infinity if there is none.
  double virtual_exponent() const { return virtual_forward_; }
  /// True if the virtual point takes part in the means.
  bool weighs_virtual_point() const;

 private:
  linalg::SoftmaxRows run_kernel(MatrixView<const double> centered, std::size_t columns) const;
  void add_virtual_point(std::span<const double> centered, linalg::SoftmaxRow& row) const;
  void mix(std::span<const double> centered, double share, linalg::SoftmaxRow& row) const;

  std::shared_ptr<const PointValues> values_;  // null: coordinates and their squares
  std::vector<double> center_;
  std::optional<linalg::MixedSoftmax> weights_;  // of the means
  std::optional<linalg::MixedSoftmax> sums_;     // of the pool, if the stiffness is not gamma
  bool is_gaussian_;
  Kernel phi_;
  double log_total_;                          // of all weights of both pools
  std::optional<linalg::KernelPass> kernel_;  // of other kernels
  double virtual_weight_, virtual_forward_;   // exponents; minus infinity: none
};

}  // namespace bisector::detail
