// The pass over weighted points for any kernel of a distance, in double precision: what
// SoftmaxReduction is for the Gaussian. For a tile of rows it computes
//
//     L(x) = log sum_k w_k phi(s_k)            the log of the sum
//     R(x) = log sum_k w_k |phi'(s_k)|         the log of its slope
//     m(x)                                     the mean of the points' values
//
// by tiles of points: distances, exponentials against a running maximum, and a second product back
// into the values. Euclidean distances come from inner products, so that only those between
// neighbors that are all but equal are computed once more as they stand.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/kernel.h"
#include "bisector/matrix.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/point_panels.h"
#include "core/linalg/value_product.h"

namespace bisector::linalg {

class KernelPass {
 public:
  /// What the means are weighed by: w phi(s), or w |phi'(s)|.
  enum class Weights { values, slopes };

  /// What is averaged are `values`, one row for each point, or the parts of the distance (see
  /// means_from_rows). The points' center has to be zero for other than Euclidean distances.
  KernelPass(SharedPoints points, std::span<const double> log_weights, const Kernel& kernel,
             Weights weights, std::optional<SharedMatrix> values = std::nullopt);

  /// False for Euclidean distances, whose parts follow from the moments: the points' coordinates
  /// relative to the center, then their squares. Else a point's values are, feature by feature,
  /// Distance::pull and then Distance::part, seen from the row.
  bool means_from_rows() const { return !values_; }

  /// `rows`: at most kRowTile, relative to the center. One SoftmaxRow each, with the means of the
  /// first `columns` values.
  SoftmaxRows run(MatrixView<const double> rows, std::size_t columns) const;

 private:
  struct Tile;
  struct State;
  /// True for one exponential of distances that are computed as they stand.
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
  std::vector<double> log_parts_;                      // of the terms: logs of their weights
  std::optional<double> largest_log_weight_;           // where the others are not far below
};

/// The sums s of a distance between a row and points, `out` as long as they are many.
void distance_sums(const Distance& distance, std::span<const double> row,
                   std::span<const double* const> points, std::span<double> out);

}  // namespace bisector::linalg
