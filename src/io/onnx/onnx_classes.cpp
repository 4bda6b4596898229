#include "io/onnx/onnx_classes.h"

#include <algorithm>

namespace bisector::io {

KernelClassifier with_classes_exchanged(const KernelClassifier& model) {
  const std::size_t first = model.points_per_class()[0], second = model.points_per_class()[1];
  Matrix points(model.points().rows(), model.features()), coefficients(1, model.points().rows());
  for (std::size_t n = 0; n < points.rows(); ++n) {
    const std::size_t from = n < second ? first + n : n - second;
    std::ranges::copy(model.points().row(from), points.row(n).begin());
    // Subtracted from zero rather than negated, so that 0 does not become -0.
    coefficients(0, n) = 0.0 - model.coefficients()(0, from);
  }
  return {std::move(points),       {second, first},
          std::move(coefficients), {0.0 - model.intercepts().front()},
          model.kernel(),          {model.labels()[1], model.labels()[0]}};
}

}  // namespace bisector::io
