// Predictions: the model's own decisions.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

/// The arithmetic of the fast pass. Rows and models for which single precision is too coarse are
/// computed in double precision.
enum class Precision { float64, float32 };
constexpr std::string_view name(Precision value) {
  switch (value) {
    case Precision::float64:
      return "double";
    case Precision::float32:
      return "float";
  }
  return {};
}

struct Predictions {
  /// One row per input row. Kernel classifiers have one decision value per pair of classes, or one
  /// per class (one-vs-rest). Regressors have the predicted value. One-class machines have f, which
  /// is positive inside. Outlier detectors have threshold - score, which is not negative inside.
  /// Neighbors with two classes have the votes of the positive class minus those of the negative
  /// class; with more classes, the votes of each class; weighted votes are shares of their total.
  /// Centroids have the negative squared distance to
  /// each centroid.
  Matrix decisions;
  /// The predicted class of every row, an index into Model::labels(); empty for regressors.
  std::vector<std::size_t> classes;
  /// Rows without a point within the radius of a neighbor model, ascending. Their class is the
  /// outlier class, else the first one; their value is the mean of the training targets.
  std::vector<std::size_t> without_neighbors = {};
};

/// A model prepared for many rows. Copies share it. Safe to share between threads.
class BISECTOR_EXPORT DecisionFunction {
 public:
  /// `threads`: 0 takes all processors.
  explicit DecisionFunction(const Model& model, Precision precision = Precision::float64,
                            unsigned threads = 0);

  /// `rows` QxD in the model's input space. Throws InvalidInput unless the number of columns fits
  /// and every entry is finite.
  Predictions operator()(MatrixView<const double> rows) const;

  /// The names of the columns of Predictions::decisions: "decision", "decision 2|3" for the machine
  /// of classes 2 and 3, or "decision 2" for class 2.
  const std::vector<std::string>& names() const;

 private:
  class Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

/// Predictions for a few rows; prepares the model at each call.
BISECTOR_EXPORT Predictions predict(const Model& model, MatrixView<const double> rows);

}  // namespace bisector
