// bisector train: trains a model on a table.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/train/train.h"
#include "bisector/train/training_table.h"
#include "cli/options/distance_options.h"
#include "cli/options/input.h"

namespace bisector::cli {

enum class ModelKind {
  automatic,  // chosen by the target
  svm,
  svr,
  one_class,
  neighbors,
  ridge,
  neighbor_regressor,
  density,
  local_outlier_factor,
  neighbor_distance
};

/// True for detectors, which are trained on rows without a target.
inline bool has_no_target(ModelKind kind) {
  return kind == ModelKind::one_class || kind == ModelKind::density ||
         kind == ModelKind::local_outlier_factor || kind == ModelKind::neighbor_distance;
}

struct TrainArguments {
  InputArguments input;  // the data, its format, the target and the dropped columns
  ModelKind kind = ModelKind::automatic;
  std::optional<std::string> positive, above;

  std::vector<double> gamma, cost, lambda;  // one value, or with `tune` those to try
  std::vector<std::size_t> k;
  std::optional<double> epsilon, outliers;
  DistanceArguments distance;
  std::optional<ClassWeight> weight;

  bool tune = false;
  std::optional<TuneScore> tune_for;
  std::optional<std::size_t> folds;

  std::optional<Scaling> scaling;  // empty: chosen by the data
  std::vector<ColumnType> types;
  MissingPolicy missing = MissingPolicy::automatic;
  std::optional<std::size_t> seed, threads;
  std::optional<double> holdout;      // fraction of the rows to score with
  std::optional<std::size_t> sample;  // number of rows to train on
  bool without_background = false;    // the model file has no rows of the data besides its points
  FitLimits limits;
  std::filesystem::path output;  // empty: named after the data
  bool json = false;
  bool force = false;  // replace a file that was named after the data
};

/// For verbs whose DATA is optional: if it is missing, MODEL is a table with the target of `input`.
/// Trains the default model on the table, writes it to a file named after the table, and sets MODEL
/// and DATA. Returns true if a model was trained.
bool train_if_needed(InputArguments& input, bool force, std::ostream& notes);

/// The file name without folder and extensions, followed by `ending`: data.csv.gz gives data.html.
/// Throws InvalidInput if such a file exists, unless `force`, because the user did not name it.
std::filesystem::path named_after(const std::filesystem::path& data, const std::string& ending,
                                  bool force);

void train_command(TrainArguments arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
