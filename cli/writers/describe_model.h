// A model in words and numbers, for inspect and for the head of JSON output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::cli {

/// The points of one class, or of one sign where the classes are not what divides them.
struct PointCount {
  std::string of;  // "class 2", "coefficient > 0"
  std::size_t count;
};

struct ModelFacts {
  std::string kind;         // one word with dashes, for machines
  std::string description;  // for people
  std::string point_name;   // what the model's points are called: "support vectors"
  std::vector<PointCount> points;
  std::optional<double> gamma;
  std::optional<std::size_t> k;
  std::vector<double> intercepts;
};
ModelFacts facts_of(const Model& model);

/// A pool of points, as an explainer with these settings makes it.
struct PoolFacts {
  std::string name;            // the class; "above" or "below" for regressors
  std::size_t points = 0;      // of the model, without the intercept
  bool has_intercept = false;  // the virtual point of the intercept
};
struct Pools {
  PoolFacts positive, negative;
};
/// Nothing where the pools follow each row's prediction.
std::optional<Pools> pools_of(const Model& model, const ExplainSettings& settings);

/// "none", "each feature is shifted and scaled, then a matrix maps 13 features to 5".
std::string preprocessing_words(const Model& model);

}  // namespace bisector::cli
