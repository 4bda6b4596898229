// Classes of the values in a target column.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/model.h"

namespace bisector {

/// Converts the text of a target cell to a class: by the model's labels, as text or as an equal
/// number
/// ("+1" and "1.0" are "1"), or by the model's target rule (Model::target): a number above the
/// threshold or not, the positive label or any other.
class BISECTOR_EXPORT TargetClasses {
 public:
  /// Throws InvalidInput for a regressor, which has no classes.
  explicit TargetClasses(const Model& model);

  /// An index into Model::labels(); nullopt for a class that the model does not have.
  std::optional<std::size_t> operator()(std::string_view target) const;

 private:
  std::optional<std::size_t> find(std::string_view label) const;

  std::vector<std::string> labels_;
  std::vector<std::optional<double>> numbers_;  // of the labels
  std::optional<LearnedTarget> rule_;
};

}  // namespace bisector
