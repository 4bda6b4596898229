// Every class against the rest, for classifiers of any number of classes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "core/explain/model_explainer.h"

namespace bisector::detail {

class AllClasses {
 public:
  /// Takes the model, the method and the options of `pair`, which outlives this object. Throws
  /// InvalidInput for regressors and units other than decision.
  explicit AllClasses(const ModelExplainer& pair);

  ClassExplanations operator()(MatrixView<const double> rows, std::size_t first_row) const;

 private:
  const ModelExplainer& pair_;
  std::unique_ptr<const ModelExplainer> own_;  // if those of `pair` are of chosen classes
  /// One per class, of models that can be split; else the pairs of classes are explained.
  std::vector<std::unique_ptr<const ModelExplainer>> against_rest_;
};

}  // namespace bisector::detail
