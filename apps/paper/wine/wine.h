// The paper's first use case: what makes a wine good.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::paper {

struct WineOptions {
  std::filesystem::path data;  // the folder of the datasets
  std::filesystem::path out = "results";
};

/// Every wine, explained by a model that did not see it.
struct WineModel {
  double gamma, cost, accuracy;  // accuracy on wines that the model did not see
  Matrix relevance;              // wines x features, for "quality above 5"

  /// Rows divided by their sum of absolute values, as the plots have them.
  Matrix normalized() const;
};

/// What the paper's text leaves open.
struct WineSettings {
  std::string id, title;  // in the journal and the CSV, and for people
  std::vector<double> costs;
  bool tunes_on_training_rows;        // C by training accuracy, else by cross-validation
  std::vector<double> class_weights;  // at most 5, above 5; none: balanced
  double most_sugar;  // g/l; wines with more are left out of the detailed statements
  /// Values above which a feature is called high; the median where there is none.
  std::map<std::string, double> cuts;
};
/// The paper's own, which its text does not give, and what we took before we knew them.
const std::vector<WineSettings>& wine_settings();

struct WineStudy {
  WineSettings settings;
  std::vector<std::string> features;
  Matrix wines;
  WineModel smooth, detailed;     // gamma = 1e-4 and 0.2, C tuned
  std::vector<WineModel> others;  // gamma = 0.2 with other C

  std::vector<double> values(std::size_t feature) const;
};

/// Trains and explains what is not in `out`/wine.journal yet: a study for each of wine_settings().
std::vector<WineStudy> run_wine_models(const WineOptions& options, std::ostream& log);

/// Writes wine.md, wine.csv and wine.svg to the folder.
void run_wine(const WineOptions& options, std::ostream& log);

/// A column of a matrix.
std::vector<double> column(const Matrix& matrix, std::size_t col);

}  // namespace bisector::paper
