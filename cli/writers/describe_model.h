// The classes, the pools and the preprocessing of a model in words and numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::cli {

/// A pool of points, as an explainer with these settings makes it.
struct PoolFacts {
  std::string name;            // the class; "above" or "below" for regressors
  std::size_t points = 0;      // without the intercept
  bool has_intercept = false;  // true if the pool has the intercept's virtual point
};
struct Pools {
  PoolFacts positive, negative;
};
/// nullopt if the pools follow each row's prediction.
std::optional<Pools> pools_of(const Model& model, const ExplainSettings& settings);

/// "none", "each feature is shifted and scaled, then a matrix maps 13 features to 5".
std::string preprocessing_words(const Model& model);

/// The labels of a classifier for people: "quality above 5" and "quality at most 5" for classes
/// made from a number. Empty for regressors.
std::vector<std::string> shown_labels(const Model& model);

/// The class that an option names by the model's label or by the shown one. Throws InvalidInput.
std::size_t class_of_option(const Model& model, const std::string& option, const std::string& text);

}  // namespace bisector::cli
