// The space in which features are removed and completed.
#pragma once

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/models/rows.h"

namespace bisector::detail {

/// The model's own space, after its preprocessing. Where that mixes features, none of them can be
/// removed there without the others: then the space of its inputs, each divided by its deviation
/// over the donors.
class RemovalSpace {
 public:
  RemovalSpace(const Model& model, MatrixView<const double> donors);

  /// Rows of the model's input space; they have to outlive the result.
  MappedRows operator()(MatrixView<const double> rows) const;
  /// The classes of rows of this space: above (0) and below `level` for a regressor.
  BatchClassifier classifier(std::optional<double> level, Precision precision,
                             unsigned threads) const;

 private:
  AffineMap map_;  // from the model's inputs to here
  Model model_;    // of rows that are here
};

}  // namespace bisector::detail
