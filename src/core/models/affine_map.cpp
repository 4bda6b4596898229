#include "bisector/affine_map.h"

#include <algorithm>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

AffineMap::AffineMap(std::vector<double> shift, std::vector<double> scale)
    : AffineMap(std::move(shift), std::move(scale), Matrix()) {}

AffineMap::AffineMap(std::vector<double> shift, std::vector<double> scale, Matrix matrix,
                     std::vector<double> offset)
    : shift_(std::move(shift)),
      scale_(std::move(scale)),
      matrix_(std::move(matrix)),
      offset_(std::move(offset)) {
  require_equal(scale_.size(), shift_.size(), "preprocessing: scales", "shifts");
  require_finite(shift_, "preprocessing: shift");
  require_finite(scale_, "preprocessing: scale");
  if (std::find(scale_.begin(), scale_.end(), 0.0) != scale_.end())
    throw InvalidModel("preprocessing: a scale is 0, expected every scale to be non-zero");
  if (has_matrix()) {
    if (matrix_.cols() == 0)
      throw InvalidModel("preprocessing: the matrix has no columns, expected one for every input");
    require_equal(matrix_.cols(), shift_.size(), "preprocessing: columns of the matrix", "shifts");
    require_finite(matrix_.values(), "preprocessing: matrix");
  }
  if (!offset_.empty()) {
    require_equal(offset_.size(), matrix_.rows(), "preprocessing: offsets", "rows of the matrix");
    require_finite(offset_, "preprocessing: offset");
  }
}

std::size_t AffineMap::inputs(std::size_t model_features) const {
  return shift_.empty() ? model_features : shift_.size();
}

void AffineMap::apply(std::span<const double> input, std::span<double> output) const {
  const auto scaled = [&](std::size_t d) { return (input[d] - shift_[d]) * scale_[d]; };
  if (is_identity()) {
    std::copy(input.begin(), input.end(), output.begin());
  } else if (!has_matrix()) {
    for (std::size_t d = 0; d < output.size(); ++d) output[d] = scaled(d);
  } else {
    for (std::size_t o = 0; o < output.size(); ++o) {
      double sum = offset_.empty() ? 0.0 : offset_[o];
      for (std::size_t d = 0; d < input.size(); ++d) sum += matrix_(o, d) * scaled(d);
      output[o] = sum;
    }
  }
}

}  // namespace bisector
