// The classes that a column of targets means to a model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/model.h"

namespace bisector {

/// Reads targets as they stand in a table: a label of the model, by its text or as the same number
/// ("+1" and "1.0" are "1"), or what its target rule makes of the value (Model::target): a number
/// above the threshold or not, the positive class or any other.
class BISECTOR_EXPORT TargetClasses {
 public:
  /// Throws InvalidInput for a regressor, which has no classes.
  explicit TargetClasses(const Model& model);

  /// Into Model::labels(); nothing for a class that the model does not know.
  std::optional<std::size_t> operator()(std::string_view target) const;

 private:
  std::optional<std::size_t> find(std::string_view label) const;

  std::vector<std::string> labels_;
  std::vector<std::optional<double>> numbers_;  // of the labels
  std::optional<LearnedTarget> rule_;
};

}  // namespace bisector
