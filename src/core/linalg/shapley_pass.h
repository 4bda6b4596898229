// Exact Shapley values of sum_k c_k exp(-gamma |x - u_k|^2) against background points r. The kernel
// is a product over features, A_d where x has its own and B_d where it has r's, so that
//
//     phi_d = sum_k c_k (A_kd - B_kd) integral over t in [0, 1] of prod_{e != d} (t A_ke + (1-t)
//     B_ke)
//
// and the integrand is a polynomial of degree D - 1. Products that underflow are zero beside the
// rest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/aligned_vector.h"
#include "core/linalg/point_panels.h"
#include "core/linalg/quadrature.h"

namespace bisector::linalg {

class ShapleyPass {
 public:
  /// Points, seen from zero, with one coefficient each; `background` BxD is averaged over. Without
  /// a row of it an absent feature leaves the product: B_d is one.
  ShapleyPass(SharedPoints points, std::span<const double> coefficients, double gamma,
              Matrix background);

  /// Rows that are best given together: they share the background's factors.
  std::size_t row_tile() const;

  /// At most row_tile() rows; `values` has their shape. A row's values do not depend on the others.
  void run(MatrixView<const double> rows, MatrixView<double> values) const;

 private:
  PointPanels<double> points_;          // packed when they come: a small part of the work on them
  AlignedVector<double> coefficients_;  // padded with zeros
  double gamma_;
  Matrix background_;
  Quadrature quadrature_;
};

}  // namespace bisector::linalg
