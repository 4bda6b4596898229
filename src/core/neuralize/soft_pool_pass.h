// One soft pool made ready for tiles of rows: the streaming pass over its points and, where the
// intercept stands in this pool, the virtual point at x.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/soft_pass.h"
#include "core/neuralize/soft_contrast.h"

namespace bisector::detail {

/// Writes the values of a point, given relative to the center, that the pass averages.
using PointValues = std::function<void(std::span<const double> centred, std::span<double> values)>;

/// log(exp(a) + exp(b)); either may be minus infinity.
double log_add(double a, double b);

struct SoftPoolOptions {
  double beta;                    // stiffness of the responsibilities
  bool ignore_intercept = false;  // keep the virtual point out of the means, not out of the sum
  bool single_precision = false;
};

/// A pool's sum at a row, and the log of the ratio of two pools' sums. The offsets of the two are
/// equal, or one pool is the virtual point alone and has none; so far away, where they are large,
/// they cancel before they can swallow the rest.
inline double pool_sum(const linalg::SoftRow& row) { return std::exp(row.log_sum + row.offset); }
inline double log_ratio(const linalg::SoftRow& positive, const linalg::SoftRow& negative) {
  return (positive.log_sum - negative.log_sum) + (positive.offset - negative.offset);
}

class SoftPoolPass {
 public:
  /// `center` is near the middle of the points and keeps rounding small, and `radius` is at least
  /// their distance from it: passes with one radius give a row one offset. Every point contributes
  /// `columns` values. Throws InvalidModel when the intercept is to be ignored and the pool holds
  /// nothing else.
  SoftPoolPass(const SoftPool& pool, double gamma, std::optional<double> log_intercept,
               std::span<const double> center, double radius, std::size_t columns,
               PointValues values, const SoftPoolOptions& options);

  /// For at most linalg::kRowTile rows relative to the center: the log of the pool's sum (of
  /// stiffness gamma, with the virtual point) and the means of the first `columns` values under the
  /// responsibilities (of stiffness beta).
  linalg::SoftRows run(MatrixView<const double> centred, std::size_t columns) const;

  /// The exponent of the virtual point in the pool's sum; minus infinity where there is none.
  double virtual_exponent() const { return virtual_forward_; }
  /// True where the virtual point takes part in the means.
  bool weighs_virtual_point() const;

 private:
  void add_virtual_point(std::span<const double> centred, linalg::SoftRow& row) const;

  std::size_t columns_;
  PointValues values_;
  std::optional<linalg::SoftPass> weights_, forward_;  // forward only where beta is not gamma
  double virtual_weight_, virtual_forward_;            // exponents; minus infinity: none
};

}  // namespace bisector::detail
