// A kernel machine's contrast of two classes as a function of input rows: f, g and their gradients,
// from the pools' sums and first moments.
//
// With F the sum of a pool (the intercept's virtual point at x counted in) and u its mean point,
//
//     f = F_P - F_N                 grad f = 2 gamma [F_P (u_P - x) - F_N (u_N - x)]
//     g = log(F_P / F_N) / gamma    grad g = 2 (u_P - u_N)
//
// for the Gaussian kernel; other kernels have the slope of the pool's sum in the place of gamma F,
// and, for g, its ratio to the slope at the effective distance. The virtual point moves with x, so
// its own term has no gradient; standing at x, it adds none to F (u - x) either. So both gradients
// are the true ones.
#pragma once

#include <memory>
#include <span>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/soft_pools.h"

namespace bisector::detail {

class SoftContrastFunction {
 public:
  /// Of pools that the explainer made ready. Their responsibilities have to be of stiffness gamma,
  /// with the intercept.
  SoftContrastFunction(const Model& model, std::shared_ptr<const SoftPools> pools,
                       unsigned threads);

  /// Any number of rows in the model's input space; one value, or one row of gradient by the
  /// inputs, for each.
  void f(MatrixView<const double> rows, std::span<double> values) const;
  void g(MatrixView<const double> rows, std::span<double> values) const;
  void f_gradient(MatrixView<const double> rows, MatrixView<double> gradients) const;
  void g_gradient(MatrixView<const double> rows, MatrixView<double> gradients) const;

 private:
  template <class Use>  // use(row, centered row, P's sums, N's sums)
  void for_each_row(MatrixView<const double> rows, std::size_t columns, const Use& use) const;

  Model model_;
  unsigned threads_;
  std::shared_ptr<const SoftPools> pools_;
};

}  // namespace bisector::detail
