// The pools and the preprocessing of a model in words and numbers.
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

}  // namespace bisector::cli
