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

#include "bisector/matrix.h"
#include "core/linalg/aligned_vector.h"
#include "core/linalg/point_panels.h"
#include "core/linalg/product_kernel.h"
#include "core/linalg/shapley_nodes.h"

namespace bisector::linalg {

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
