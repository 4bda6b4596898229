// The paper's first use case: what makes a wine good.
#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "common/study_run.h"

namespace bisector::paper {

/// Each wine is explained by a model that was trained without it.
struct WineModel {
  double gamma, cost, accuracy;  // accuracy on held-out wines
  Matrix relevance;              // wines x features, for "quality above 5"

  /// Rows divided by their sum of absolute values, for the plots.
  Matrix normalized() const;
};

/// Settings that the paper's text does not give.
struct WineSettings {
  std::string id, title;  // id for journal and CSV, title for the page
  std::vector<double> costs;
  bool tunes_on_training_rows;        // C by training accuracy, else by cross-validation
  std::vector<double> class_weights;  // at most 5, above 5; none: balanced
  double most_sugar;  // g/l; wines with more are left out of the detailed statements
  /// Values above which a feature counts as high; default: the median.
  std::map<std::string, double> cuts;
};
/// The settings of the paper's own analysis, and ours, which are older than our knowledge of them.
const std::vector<WineSettings>& wine_settings();

struct WineStudy {
  WineSettings settings;
  std::vector<std::string> features;
  Matrix wines;
  WineModel smooth, detailed;     // gamma = 1e-4 and 0.2, C tuned
  std::vector<WineModel> others;  // gamma = 0.2 with other C

  std::vector<double> values(std::size_t feature) const;
};

/// Trains and explains a study for each of wine_settings(). Continues wine.journal.
std::vector<WineStudy> run_wine_models(const StudyFolders& options, std::ostream& log);

/// Writes wine.md and wine.csv to the folder, and wine_relevance.csv, which figures.py draws.
void run_wine(const StudyFolders& options, std::ostream& log);

/// A column of a matrix.
std::vector<double> column(const Matrix& matrix, std::size_t col);

}  // namespace bisector::paper
