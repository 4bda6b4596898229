// The pass over weighted points for any kernel of a distance, in double precision: what
// SoftmaxReduction is for the Gaussian. For a tile of rows it computes
//
//     L(x) = log sum_k w_k phi(s_k)            the log of the sum
//     R(x) = log sum_k w_k |phi'(s_k)|         the log of its slope
//     m(x)                                     the mean of the points' values
//
// by tiles of points: distances, exponentials relative to a running maximum, and a product with the
// values. Euclidean distances come from inner products; distances between nearly equal points are
// computed again from the differences.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/kernel.h"
#include "bisector/matrix.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/point_set.h"
#include "core/linalg/value_product.h"

namespace bisector::linalg {

class KernelPass {
 public:
  /// The weights of the means: w phi(s), or w |phi'(s)|.
  enum class Weights { values, slopes };

  /// Averages `values`, one row per point, or else the parts of the distance (see
  /// means_from_rows). Distances that are not Euclidean need points relative to zero.
  KernelPass(SharedPoints points, std::span<const double> log_weights, const Kernel& kernel,
             Weights weights, std::optional<SharedMatrix> values = std::nullopt);

  /// False for Euclidean distances, whose parts follow from the moments: the points' coordinates
  /// relative to the center, then their squares. Else a point's values are, feature by feature,
  /// Distance::half_slope and then Distance::part, relative to the row.
  bool means_from_rows() const { return !values_; }

  /// `rows`: at most kRowTile, relative to the center. One SoftmaxRow each, with the means of the
  /// first `columns` values.
  SoftmaxRows run(MatrixView<const double> rows, std::size_t columns) const;

 private:
  struct Tile;
  struct State;
  /// True for one exponential of a distance that is not computed from inner products.
  bool is_exponential() const {
    return kernel_.terms().size() == 1 && kernel_.terms()[0].form == KernelForm::exponential &&
           !kernel_.distance().is_euclidean();
  }
  void set_products(MatrixView<const double> rows, Tile& tile) const;
  double set_squares(std::span<const double> row, const Tile& tile, std::span<double> s) const;
  void sharpen(std::span<const double> row, double row_norm, const Tile& tile,
               std::span<double> s) const;
  double exponent_bound(const Tile& tile, std::span<const double> s, double nearest) const;
  void weigh(Tile& tile, std::size_t row, double nearest, State& state) const;
  void weigh_exponential(Tile& tile, std::size_t row, State& state) const;
  void add_values(MatrixView<const double> rows, Tile& tile, State& state) const;
  void add_parts(std::span<const double> row, const Tile& tile, const double* weights,
                 std::span<double> sums) const;

  SharedPoints points_;
  PointPanels<double> panels_;
  Kernel kernel_;
  Weights weights_;
  std::optional<ValueProduct<double>> values_;
  AlignedVector<double> log_weights_, squared_norms_;  // padded
  std::vector<double> log_parts_;                      // the logs of the weights of the terms
  std::optional<double> largest_log_weight_;           // if no other is far below it
};

/// The sums s of a distance between a row and points, one entry of `out` per point.
void distance_sums(const Distance& distance, std::span<const double> row,
                   std::span<const double* const> points, std::span<double> out);

}  // namespace bisector::linalg
