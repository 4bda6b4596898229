// Input rows before they enter a model: checked, preprocessed, centered.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// Throws InvalidInput unless `rows` has the model's number of columns, and InvalidRow unless every
/// entry is finite and within kLargestCoordinate.
void require_rows(const Model& model, MatrixView<const double> rows);

/// Rows in the model's own space, QxD: where there is no preprocessing, a view of those that were
/// given, which have to outlive it.
class MappedRows {
 public:
  explicit MappedRows(MatrixView<const double> given) : given_(given) {}
  explicit MappedRows(Matrix own) : own_(std::move(own)) {}

  MatrixView<const double> view() const { return own_ ? own_->view() : given_; }
  std::span<const double> row(std::size_t row) const { return view().row(row); }
  Matrix copy() const;

 private:
  MatrixView<const double> given_;
  std::optional<Matrix> own_;
};

/// The rows in the model's own space. Throws InvalidRow if an entry exceeds kLargestCoordinate
/// during the mapping; the message counts rows from `first` on.
MappedRows preprocessed(const AffineMap& input, MatrixView<const double> rows,
                        std::size_t model_features, std::size_t first = 0);

/// True if the distance is a sum over the inputs: behind a matrix only Euclidean distances are.
bool has_parts(const Model& model);

/// rows - center, entry by entry.
Matrix centered(MatrixView<const double> rows, std::span<const double> center);

/// The gradient by the inputs of a function whose gradient by the model's features is `gradient`:
/// the chain rule through the preprocessing.
void pull_back(const AffineMap& input, std::span<const double> gradient,
               std::span<double> input_gradient);

}  // namespace bisector::detail
