// The model's own decision, before any explanation.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

/// The arithmetic of the fast pass. Single precision falls back to double for the rows and models
/// where its rounding would show.
enum class Precision { float64, float32 };

struct Predictions {
  /// rows x decisions: the decision value of each machine (classifiers: one per pair of classes),
  /// the predicted value (regressors), the votes of the positive class less those of the negative
  /// (two-class neighbors), the votes of each class (more classes), or minus the squared distance
  /// to each centroid.
  Matrix decisions;
  /// The predicted class of every row, an index into Model::labels(); empty for regressors.
  std::vector<std::size_t> classes;
};

/// A model made ready for many rows. Safe to share between threads.
class BISECTOR_EXPORT DecisionFunction {
 public:
  explicit DecisionFunction(const Model& model, Precision precision = Precision::float64,
                            unsigned threads = 0);
  DecisionFunction(DecisionFunction&&) noexcept;
  DecisionFunction& operator=(DecisionFunction&&) noexcept;
  ~DecisionFunction();

  /// `rows` QxD in the model's input space. Throws InvalidInput unless the number of columns fits
  /// and every entry is finite.
  Predictions operator()(MatrixView<const double> rows) const;

  /// What the columns of Predictions::decisions mean, e.g. "2|3" for the machine of classes 2
  /// and 3.
  const std::vector<std::string>& names() const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

/// For a handful of rows.
BISECTOR_EXPORT Predictions predict(const Model& model, MatrixView<const double> rows);

}  // namespace bisector
