// Every class against the rest, for classifiers of any number of classes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"

namespace bisector::detail {

class AllClasses {
 public:
  /// `method` is resolved. Throws InvalidInput for regressors and units other than decision.
  AllClasses(const Model& model, const Method& method, const ExplainOptions& options);

  ClassExplanations operator()(MatrixView<const double> rows, std::size_t first_row) const;

 private:
  /// An explanation that is added to one class and, if it is one of a pair, subtracted from
  /// another.
  struct Part {
    Explainer explainer;
    std::size_t positive;
    std::optional<std::size_t> negative;
  };

  void add_only_pair();
  /// Explains `model` for class `positive` against the class or the rest named `versus`.
  void add(const Model& model, std::size_t positive, std::optional<std::size_t> negative,
           const std::string& versus);

  Model model_;
  Method method_;
  ExplainOptions options_;
  std::vector<Part> parts_;
};

}  // namespace bisector::detail
