// The neighborhood rule: mean distances, per feature, to background rows of the two classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/reference_rows.h"

namespace bisector::detail {

class Neighborhood {
 public:
  /// Takes at most 2,000 rows of the background or of the model's points, drawn with the seed and
  /// labeled by the model (regressors: 0 above the level, 1 below).
  Neighborhood(const Model& model, OptionalRows background, double level, std::uint64_t seed,
               unsigned threads);

  /// The relevance of every row of the input space for its pair of classes. A class without rows
  /// adds nothing.
  Matrix operator()(MatrixView<const double> rows, std::span<const std::size_t> positive,
                    std::span<const std::size_t> negative) const;

 private:
  void add_class(std::size_t side, std::span<const double> input, std::span<const double> row,
                 double sign, std::span<double> relevance) const;

  Model model_;
  unsigned threads_;
  Matrix rows_;                                    // behind the preprocessing
  Matrix input_rows_;                              // before it, if it mixes features
  std::vector<std::vector<std::size_t>> classes_;  // the rows of each
};

/// Blends a share of the neighborhood rule, scaled to the size of the row's relevance, into that
/// relevance. A share of 1 replaces it, unscaled.
void blend(double share, std::span<const double> neighborhood, std::span<double> relevance);

}  // namespace bisector::detail
