// Exact Shapley values of sum_k c_k K(x, u_k) against background points r, for a kernel K that is a
// product over players (features or groups of features). With the factors A_d at x and B_d at r,
//
//     phi_d = sum_k c_k (A_kd - B_kd) integral over t in [0, 1] of prod_{e != d} (t A_ke + (1-t)
//     B_ke).
//
// The integrand is a polynomial of degree D - 1. Products that underflow are negligible.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/kernel.h"
#include "bisector/matrix.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/point_set.h"
#include "core/linalg/quadrature.h"

namespace bisector::linalg {

// Kernels that are products over features: exp(-gamma s) of a distance that is a sum over features.
// Groups of features are players of their own: the factor of a group is the product of its
// members'.

/// The logarithms of a kernel's factors between one point and a panel of points.
class ProductExponents {
 public:
  /// `players` is the player of each feature, 0, 1, ...; empty if every feature is a player.
  ProductExponents(double gamma, const Distance& distance, std::size_t features,
                   std::vector<std::size_t> players);

  std::size_t players() const { return count_; }
  /// Players x kPanelWidth: -gamma times the sum of the distance's parts over a player's features.
  void operator()(const double* panel, std::span<const double> point, std::span<double> out) const;

 private:
  double gamma_;
  Distance distance_;
  std::size_t features_;
  std::vector<std::size_t> players_;
  std::size_t count_;
};

class ShapleyPass {
 public:
  /// Points, relative to zero, with one coefficient each. The values are averaged over the rows of
  /// `background`, BxD. Without a background an absent player leaves the product: B_d is 1.
  ShapleyPass(SharedPoints points, std::span<const double> coefficients, ProductExponents exponents,
              Matrix background);

  std::size_t players() const { return exponents_.players(); }
  /// The number of rows that share the background's factors best.
  std::size_t row_tile() const;

  /// At most row_tile() rows; adds to `values`, rows x players. A row's values do not depend on the
  /// other rows.
  void run(MatrixView<const double> rows, MatrixView<double> values) const;

  /// Adds to `pairs`, players x players, the lower triangle of the Shapley interaction indices of
  /// one row, from player `first` to before `last`, and to `values` the Shapley values of these
  /// players. Pairs of players above `last` are not computed.
  void run_pairs(std::span<const double> row, std::size_t first, std::size_t last,
                 MatrixView<double> pairs, std::span<double> values) const;

 private:
  struct Panel;

  PointPanels<double> points_;          // packed on use, a small part of the work on them
  AlignedVector<double> coefficients_;  // padded with zeros
  ProductExponents exponents_;
  Matrix background_;
  ShapleyNodes nodes_;
};

}  // namespace bisector::linalg
