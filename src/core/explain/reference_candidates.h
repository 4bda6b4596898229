// Rows that stand for the data, drawn from a background or from the model's own points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// The same rows in both spaces, the ones in the model's space being the images of the others.
struct DrawnRows {
  Matrix input_space, model_space;
};

/// At most `limit`, in the order of the draw. The model's own points are taken back through its
/// preprocessing.
DrawnRows draw_rows(const Model& model, const std::optional<Matrix>& background, std::size_t limit,
                    std::uint64_t seed);

}  // namespace bisector::detail
