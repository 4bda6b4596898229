// The way from the reference point to a row, on which the path rule takes its gradients.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/matrix.h"
#include "core/models/rows.h"

namespace bisector::detail {

struct ReferencePath {
  std::vector<double> reference;  // in the model's space
  std::size_t steps;

  /// The rows moved to the middle of part `step` of their ways, counted from zero.
  Matrix at(MatrixView<const double> rows, std::size_t step) const {
    return on_the_way(rows, reference,
                      (static_cast<double>(step) + 0.5) / static_cast<double>(steps));
  }
};

}  // namespace bisector::detail
