// The order of removal with the best value of the metric.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "core/evaluate/imputation.h"

namespace bisector::detail {

/// The seed of the draws by which orders are chosen. The draws that score them have `seed` itself.
std::uint64_t choosing_seed(std::uint64_t seed);

/// True for the features that are removed.
using RemovedSet = std::vector<bool>;

/// The value of the curve of one row after any removal, on the draws for choosing.
class RemovalScores {
 public:
  /// `rows` in the space of the density; the options' seed is that of the scoring draws.
  RemovalScores(const DensityEstimate& density, MatrixView<const double> rows,
                const BatchClassifier& classify, const PixelFlippingOptions& options);

  std::size_t features() const { return rows_.cols(); }
  /// Selects the row.
  void set_row(std::size_t row);
  /// One agreement from -1 to 1 per set; no set is empty.
  std::vector<double> operator()(std::span<const RemovedSet> sets);

 private:
  void impute_set(const RemovedSet& set, ImputationWorkspace& workspace,
                  MatrixView<double> imputed) const;

  DonorRows background_;
  MatrixView<const double> rows_;
  const BatchClassifier& classify_;
  const PixelFlippingOptions& options_;
  std::size_t samples_;
  std::size_t row_ = 0, original_ = 0;
  Matrix batch_;
};

/// The best of all orders by its area; among equals the one that removes the lower feature later.
/// For a few features.
std::vector<std::size_t> best_of_all_orders(RemovalScores& scores);
/// The better one of two greedy orders, forward and backward.
std::vector<std::size_t> better_greedy_order(RemovalScores& scores);

}  // namespace bisector::detail
