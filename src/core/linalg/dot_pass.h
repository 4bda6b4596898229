// Sums of a dot-product kernel over weighted points, and their gradients, for tiles of rows.
#pragma once

#include <cstddef>

#include "bisector/kernel.h"
#include "bisector/matrix.h"
#include "core/linalg/point_set.h"

namespace bisector::linalg {

/// The kernel's value for the dot product of a row and a point.
double dot_kernel(const KernelTerm& term, double product);

class DotPass {
 public:
  /// `coefficients` is points x machines.
  DotPass(const SharedMatrix& points, const Kernel& kernel, Matrix coefficients);

  /// For any rows: sums(r, m) = sum_k coefficients(k, m) kernel(x_r . u_k).
  void sums(MatrixView<const double> rows, MatrixView<double> sums) const;
  /// The gradients of the sums of one machine, a row each.
  void gradients(MatrixView<const double> rows, std::size_t machine,
                 MatrixView<double> gradients) const;

 private:
  template <class Use>  // use(row, point, x . u)
  void for_each_product(MatrixView<const double> rows, const Use& use) const;

  SharedPoints points_;
  PointPanels<double> panels_;
  KernelTerm term_;
  Matrix coefficients_;
};

}  // namespace bisector::linalg
