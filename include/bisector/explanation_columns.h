// The columns of explanations in every table: CSV, data frames, Parquet, Spark, Dask and Arrow.
#pragma once

#include <string>
#include <vector>

namespace bisector {

/// Names in the order of the columns. The features are between `before` and `after`; the details
/// are optional, and the standard errors of the features come after them. If a column of the user
/// has one of these names, ours gets an underscore.
struct ExplanationColumns {
  std::vector<std::string> before, after, details;
};

/// Classifiers have two classes in each row, regressors a level.
inline ExplanationColumns explanation_columns(bool is_classifier) {
  if (is_classifier)
    return {{"row", "prediction", "class", "versus", "output", "base"},
            {"remainder", "outside", "tie"},
            {"g", "correction", "stretch"}};
  return {{"row", "prediction", "output", "base"},
          {"remainder", "outside", "tie"},
          {"g", "correction", "stretch", "level"}};
}

}  // namespace bisector
