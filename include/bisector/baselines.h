// Baselines from the literature: gradient x input, integrated gradients, sensitivity, occlusion and
// Shapley values. All but exact Shapley values take any function of rows, which they call with
// large batches; at most one batch of perturbed rows is in memory.
//
// `reference` holds the values of absent features: removing feature d means x_d <- r_d. All
// functions throw InvalidInput if its length is not the number of columns.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bisector/export.h"
#include "bisector/kernel_machine.h"
#include "bisector/matrix.h"
#include "bisector/method.h"

namespace bisector {

/// Writes one value per row. The rows are valid during the call only.
using BatchFunction = std::function<void(MatrixView<const double> rows, std::span<double> values)>;
/// Writes the gradient at each row, which has the length of a row.
using BatchGradient =
    std::function<void(MatrixView<const double> rows, MatrixView<double> gradients)>;

/// (x - r) * grad f(x).
BISECTOR_EXPORT Matrix gradient_times_input(const BatchGradient& gradient,
                                            MatrixView<const double> rows,
                                            std::span<const double> reference);

/// (x - r) * the mean of grad f on the path from r to x, by the midpoint rule: at
/// r + ((t - 1/2) / steps) (x - r) for t = 1 ... steps. Sums to f(x) - f(r) as the steps grow.
/// Throws InvalidInput for 0 steps.
BISECTOR_EXPORT Matrix integrated_gradients(const BatchGradient& gradient,
                                            MatrixView<const double> rows,
                                            std::span<const double> reference,
                                            std::size_t steps = 10);

/// The squared gradient, negative unless f(x) > 0.
BISECTOR_EXPORT Matrix sensitivity(const BatchFunction& function, const BatchGradient& gradient,
                                   MatrixView<const double> rows);

/// f(x) - f(x with x_d <- r_d).
BISECTOR_EXPORT Matrix occlusion(const BatchFunction& function, MatrixView<const double> rows,
                                 std::span<const double> reference);

/// Shapley values by permutation sampling: the mean over random orders of the decrease of f when
/// the features are removed one after the other. They sum to f(x) - f(r) for any number of
/// sequences. The output in `options` is ignored. The orders of a row depend on the seed and the
/// row's number alone, so that a file may be split anywhere; `first_row` is the number of the first
/// row. Throws InvalidInput for 0 sequences, and if the number of evaluations of f overflows.
BISECTOR_EXPORT Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                                       std::span<const double> reference,
                                       const SampledShapley& options = {},
                                       std::size_t first_row = 0);
/// The same for rows with these numbers.
BISECTOR_EXPORT Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                                       std::span<const double> reference,
                                       const SampledShapley& options,
                                       std::span<const std::size_t> row_numbers);

/// True if the kernel is a product over features, as exact Shapley values need it: exp(-gamma s) of
/// any distance but the cosine (Gaussian, also with a scale per feature, and Laplacian of Manhattan
/// distances), and sums of such kernels.
BISECTOR_EXPORT bool is_product_kernel(const Kernel& kernel);

/// The interaction of two players.
struct PairInteraction {
  std::size_t first = 0, second = 0;  // first < second
  double value = 0.0;                 // the Shapley interaction index of the pair
  bool operator==(const PairInteraction&) const = default;
};

/// Exact Shapley values of a machine with a product kernel. The mean over all orders of the
/// features is an integral of a polynomial (docs/guide/shapley.md). Gauss-Legendre quadrature
/// computes it with a relative error of at most 1e-10; the number of nodes follows from the row and
/// the reference. Time per row and reference: O(points x features x nodes), for pairs O(points x
/// features^2 x nodes). Safe to share between threads.
class BISECTOR_EXPORT ExactShapleyValues {
 public:
  /// `background` BxD: a reference point, or several to average over. `players` has the player of
  /// each feature, 0, 1, ...; features of one player are added and removed together. Without it
  /// every feature is a player. Throws InvalidInput unless the kernel is a product, the background
  /// has a row, the machine's number of columns and finite entries, and the players are numbered
  /// without gaps.
  ExactShapleyValues(const KernelMachine& machine, const Matrix& background, unsigned threads = 0,
                     std::vector<std::size_t> players = {});
  /// The game in which an absent feature leaves the kernel, exp(-gamma sum over the present
  /// features of (x_d - u_d)^2), so that it needs no background: product-kernel explainers play it.
  /// A row sums to f(x) minus f of no features, the sum of coefficients and intercept.
  static ExactShapleyValues of_dropped_features(const KernelMachine& machine, unsigned threads = 0);

  std::size_t players() const;

  /// `rows` QxD in the machine's space, every entry finite. Q x players; a row of the result sums
  /// to f(x) minus the mean of f over the background.
  Matrix operator()(MatrixView<const double> rows) const;

  /// Shapley interaction values of one row: symmetric, players x players. An entry off the diagonal
  /// is half of the pair's interaction index; the diagonal has the main effects, so that each row
  /// sums to the player's Shapley value.
  Matrix interactions(std::span<const double> row) const;
  /// The pairs with the largest absolute interaction index, largest first; of equal ones, the first
  /// players. Computed in blocks of players, so that memory does not hold all pairs.
  std::vector<PairInteraction> strongest_interactions(std::span<const double> row,
                                                      std::size_t count) const;

 private:
  class Implementation;
  explicit ExactShapleyValues(std::shared_ptr<const Implementation> implementation);
  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace bisector
