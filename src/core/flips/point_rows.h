// The points of a model as rows of its input space.
#pragma once

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// One row per point. Empty if a matrix in front of the model cannot be inverted.
inline Matrix point_rows(const Model& model) {
  const AffineMap& input = model.input();
  if (input.has_matrix()) return Matrix(0, model.features());
  if (input.is_identity()) return model.points();
  Matrix rows = model.points();
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t d = 0; d < rows.cols(); ++d)
      rows(r, d) = rows(r, d) / input.scale()[d] + input.shift()[d];
  return rows;
}

}  // namespace bisector::detail
