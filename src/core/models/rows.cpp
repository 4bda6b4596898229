#include "core/models/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector::detail {

void require_rows(const Model& model, MatrixView<const double> rows) {
  if (rows.cols() != model.features())
    throw InvalidInput(
        fmt::format("the data have {} features, the model {}", rows.cols(), model.features()));
  if (const auto bad = first_beyond(rows))
    throw InvalidRow(bad->row, fmt::format("feature \"{}\" is {}, expected a number within ±{}",
                                           model.feature_name(bad->col), rows(bad->row, bad->col),
                                           kLargestCoordinate));
}

Matrix MappedRows::copy() const {
  if (own_) return *own_;
  Matrix rows(given_.rows(), given_.cols());
  for (std::size_t r = 0; r < given_.rows(); ++r)
    std::ranges::copy(given_.row(r), rows.row(r).begin());
  return rows;
}

MappedRows preprocessed(const AffineMap& input, MatrixView<const double> rows,
                        std::size_t model_features, std::size_t first) {
  if (input.is_identity()) return MappedRows(rows);
  Matrix mapped(rows.rows(), model_features);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    input.apply(rows.row(r), mapped.row(r));
    for (std::size_t d = 0; d < model_features; ++d) {
      if (!is_coordinate(mapped(r, d)))
        throw InvalidRow(first + r,
                         fmt::format("feature {} behind the preprocessing is {}, expected a number "
                                     "within ±{}",
                                     d + 1, mapped(r, d), kLargestCoordinate));
    }
  }
  return MappedRows(std::move(mapped));
}

bool has_parts(const Model& model) {
  return model.distance().is_euclidean() || !model.input().has_matrix();
}

Matrix centered(MatrixView<const double> rows, std::span<const double> center) {
  Matrix result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) result(r, d) = rows(r, d) - center[d];
  }
  return result;
}

void pull_back(const AffineMap& input, std::span<const double> gradient,
               std::span<double> input_gradient) {
  if (!input.has_matrix()) {
    std::ranges::copy(gradient, input_gradient.begin());
  } else {
    std::ranges::fill(input_gradient, 0.0);
    for (std::size_t o = 0; o < gradient.size(); ++o) {
      const auto weights = input.matrix().row(o);
      for (std::size_t d = 0; d < weights.size(); ++d)
        input_gradient[d] += weights[d] * gradient[o];
    }
  }
  for (std::size_t d = 0; d < input.scale().size(); ++d) input_gradient[d] *= input.scale()[d];
}

}  // namespace bisector::detail
