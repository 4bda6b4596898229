// The neighborhood rule: near and far background rows of the two sides, feature by feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

class Neighborhood {
 public:
  /// Rows of the background, or the model's own points, labeled by the model (regressors: above
  /// the level first); at most 2,000, drawn with the seed.
  Neighborhood(const Model& model, const std::optional<Matrix>& background, double level,
               std::uint64_t seed, unsigned threads);

  /// The relevance of every row for its pair of classes, rows in the input space. A class without a
  /// row adds nothing.
  Matrix operator()(MatrixView<const double> rows, std::span<const std::size_t> positive,
                    std::span<const std::size_t> negative) const;

 private:
  void add_class(std::size_t side, std::span<const double> input, std::span<const double> row,
                 double sign, std::span<double> relevance) const;

  Model model_;
  unsigned threads_;
  Matrix rows_;                                    // behind the preprocessing
  Matrix input_rows_;                              // before it, where it mixes features
  std::vector<std::vector<std::size_t>> classes_;  // the rows of each
};

/// The share of its relevance, made as large as that of the row, in the row's own; all of it as it
/// is.
void blend(double share, std::span<const double> neighborhood, std::span<double> relevance);

}  // namespace bisector::detail
