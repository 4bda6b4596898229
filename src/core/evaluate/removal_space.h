// The space in which features are removed and imputed.
#pragma once

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/models/rows.h"

namespace bisector::detail {

/// The model's own space, after its preprocessing. If the preprocessing mixes features, they cannot
/// be removed one by one there: then it is the space of the inputs, each divided by its standard
/// deviation over the donor rows.
class RemovalSpace {
 public:
  RemovalSpace(const Model& model, MatrixView<const double> donors);

  /// Maps rows of the model's input space, which outlive the result.
  MappedRows operator()(MatrixView<const double> rows) const;
  /// The classes of rows of this space: above (0) and below `level` for a regressor.
  BatchClassifier classifier(std::optional<double> level, Precision precision,
                             unsigned threads) const;

 private:
  AffineMap map_;  // from the model's inputs to this space
  Model model_;    // of rows of this space
};

}  // namespace bisector::detail
