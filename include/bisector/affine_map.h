// The affine preprocessing of a model's inputs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// x = M ((x0 - shift) * scale) + offset: standardizing, min-max scaling, PCA and their
/// compositions. Empty parts are skipped; a default-constructed map is the identity.
class BISECTOR_EXPORT AffineMap {
 public:
  AffineMap() = default;

  /// Feature-wise: x = (x0 - shift) * scale. Throws InvalidModel unless both have the same length,
  /// every entry is finite and no scale is zero.
  AffineMap(std::vector<double> shift, std::vector<double> scale);

  /// With a dense matrix M (outputs x inputs) and an optional offset after it.
  AffineMap(std::vector<double> shift, std::vector<double> scale, Matrix matrix,
            std::vector<double> offset = {});

  bool is_identity() const { return shift_.empty() && !has_matrix(); }
  /// True if outputs mix several inputs, so that relevance is mapped back through M.
  bool has_matrix() const { return matrix_.rows() > 0; }

  /// The number of inputs if the model has `model_features` features.
  std::size_t inputs(std::size_t model_features) const;
  /// The number of outputs; 0 for the identity, which fits any number.
  std::size_t outputs() const { return has_matrix() ? matrix_.rows() : shift_.size(); }

  void apply(std::span<const double> input, std::span<double> output) const;

  const std::vector<double>& shift() const { return shift_; }
  const std::vector<double>& scale() const { return scale_; }
  const Matrix& matrix() const { return matrix_; }
  const std::vector<double>& offset() const { return offset_; }

  bool operator==(const AffineMap&) const = default;

 private:
  std::vector<double> shift_, scale_;  // as long as the input
  Matrix matrix_;                      // outputs x inputs
  std::vector<double> offset_;         // as long as the output, or empty
};

}  // namespace bisector
