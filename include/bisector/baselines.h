// The explanations that others use, to compare with: gradient x input, integrated gradients,
// sensitivity, occlusion and Shapley values. All but the last work on any function of rows; they
// ask for it in large batches and never hold more than a batch of perturbed rows.
//
// `reference` is the point that stands for "feature absent": removing feature d is x_d <- r_d. All
// functions throw InvalidInput when its length is not the number of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "bisector/export.h"
#include "bisector/kernel_machine.h"
#include "bisector/matrix.h"
#include "bisector/method.h"

namespace bisector {

/// Writes one value per row. The rows are good for the call only.
using BatchFunction = std::function<void(MatrixView<const double> rows, std::span<double> values)>;
/// Writes the gradient of each row, a row of the same length.
using BatchGradient =
    std::function<void(MatrixView<const double> rows, MatrixView<double> gradients)>;

/// (x - r) * grad f(x).
BISECTOR_EXPORT Matrix gradient_times_input(const BatchGradient& gradient,
                                            MatrixView<const double> rows,
                                            std::span<const double> reference);

/// (x - r) * the mean of grad f over the way from r to x, by the midpoint rule: at
/// r + ((t - 1/2) / steps) (x - r) for t = 1 ... steps. Sums to f(x) - f(r) as the steps grow.
/// Throws InvalidInput for no steps.
BISECTOR_EXPORT Matrix integrated_gradients(const BatchGradient& gradient,
                                            MatrixView<const double> rows,
                                            std::span<const double> reference,
                                            std::size_t steps = 10);

/// The squared gradient, with a minus where f(x) is not above zero.
BISECTOR_EXPORT Matrix sensitivity(const BatchFunction& function, const BatchGradient& gradient,
                                   MatrixView<const double> rows);

/// f(x) - f(x with x_d <- r_d).
BISECTOR_EXPORT Matrix occlusion(const BatchFunction& function, MatrixView<const double> rows,
                                 std::span<const double> reference);

/// Shapley values by permutation sampling: the mean over random orders of what f loses when the
/// features are removed one after the other (of `options`, the output plays no part); sums to f(x)
/// - f(r) for any number of sequences. The orders of a row come from the seed and the row's number
/// alone, so a file may be cut anywhere: `first_row` is the number of the first row. Throws
/// InvalidInput for no sequences, and for more evaluations of f than can be counted.
BISECTOR_EXPORT Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                                       std::span<const double> reference,
                                       const SampledShapley& options = {},
                                       std::size_t first_row = 0);
/// The same for rows picked from anywhere: one number each.
BISECTOR_EXPORT Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                                       std::span<const double> reference,
                                       const SampledShapley& options,
                                       std::span<const std::size_t> row_numbers);

/// Exact Shapley values of a Gaussian kernel machine, in time O(points x features^2) per row. With
/// features removed one by one, the sum over all orders is an integral of a polynomial of degree
/// features - 1, which Gauss-Legendre quadrature gives exactly. Safe to share between threads.
class BISECTOR_EXPORT ExactShapleyValues {
 public:
  /// `background` BxD: a reference point, or several to average over. Throws InvalidInput unless it
  /// has a row, the machine's number of columns and finite entries.
  ExactShapleyValues(const KernelMachine& machine, const Matrix& background, unsigned threads = 0);
  /// The game in which an absent feature leaves the kernel, exp(-gamma sum over the present
  /// features of (x_d - u_d)^2), so that it needs no background: product-kernel explainers play it.
  /// A row sums to f(x) less f of no features, which is the sum of coefficients and intercept.
  static ExactShapleyValues of_dropped_features(const KernelMachine& machine, unsigned threads = 0);
  ExactShapleyValues(ExactShapleyValues&&) noexcept;
  ExactShapleyValues& operator=(ExactShapleyValues&&) noexcept;
  ~ExactShapleyValues();

  /// `rows` QxD in the machine's space, every entry finite. A row of the result sums to f(x) less
  /// the mean of f over the background.
  Matrix operator()(MatrixView<const double> rows) const;

 private:
  class Implementation;
  explicit ExactShapleyValues(std::unique_ptr<const Implementation> implementation);
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace bisector
