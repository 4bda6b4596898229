// Every class against the rest, for classifiers of any number of classes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/predict.h"

namespace bisector::detail {

class AllClasses {
 public:
  /// `method` is resolved. Throws InvalidInput for regressors and units other than decision.
  AllClasses(const Model& model, const Method& method, const ExplainOptions& options);

  ClassExplanations operator()(MatrixView<const double> rows, std::size_t first_row) const;

 private:
  /// A model of two classes, whose explanation is added to one class and, if it is one of a pair,
  /// subtracted from the other.
  struct OneModel {
    Explainer explainer;
    std::size_t positive;
    std::optional<std::size_t> negative;
  };
  /// Machines of all pairs of classes. They share the points: rows are decided once, and each pair
  /// is explained from the same votes.
  struct AllPairs {
    Explainer explainer;
    DecisionFunction machines;
  };

  OneModel only_pair() const;
  OneModel against_rest(const Model& model, std::size_t positive) const;

  Model model_;
  Method method_;
  ExplainOptions options_;  // without classes
  std::vector<OneModel> models_;
  std::optional<AllPairs> pairs_;
};

}  // namespace bisector::detail
