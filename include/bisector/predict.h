// Predictions: the model's own decisions.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

/// The arithmetic of the fast pass. Rows and models for which single precision is too coarse are
/// computed in double precision.
enum class Precision { float64, float32 };

struct Predictions {
  /// One row per input row. The columns are, by kind of model:
  ///   kernel classifier    decision values: one per pair of classes, or one per class
  ///   (one-vs-rest) regressors           the predicted value one-class machine    f, positive
  ///   inside outlier detector     threshold - score, not negative inside neighbors votes of the
  ///   positive class minus those of the negative class; with more
  ///                        than two classes the votes of each class
  ///   centroids            the negative squared distance to each centroid
  Matrix decisions;
  /// The predicted class of every row, an index into Model::labels(); empty for regressors.
  std::vector<std::size_t> classes;
};

/// A model prepared for many rows. Safe to share between threads.
class BISECTOR_EXPORT DecisionFunction {
 public:
  /// `threads`: 0 takes all processors.
  explicit DecisionFunction(const Model& model, Precision precision = Precision::float64,
                            unsigned threads = 0);
  DecisionFunction(DecisionFunction&&) noexcept;
  DecisionFunction& operator=(DecisionFunction&&) noexcept;
  ~DecisionFunction();

  /// `rows` QxD in the model's input space. Throws InvalidInput unless the number of columns fits
  /// and every entry is finite.
  Predictions operator()(MatrixView<const double> rows) const;

  /// The names of the columns of Predictions::decisions: "decision", "decision 2|3" for the machine
  /// of classes 2 and 3, or "decision 2" for class 2.
  const std::vector<std::string>& names() const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

/// Predictions for a few rows; prepares the model at each call.
BISECTOR_EXPORT Predictions predict(const Model& model, MatrixView<const double> rows);

}  // namespace bisector
