// bisector train: a model from a table of data.
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
#include "cli/options/kernel_options.h"

namespace bisector::cli {

enum class ModelKind {
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

/// True for models that are trained on rows without a target.
inline bool has_no_target(ModelKind kind) {
  switch (kind) {
    case ModelKind::one_class:
    case ModelKind::density:
    case ModelKind::local_outlier_factor:
    case ModelKind::neighbor_distance:
      return true;
    case ModelKind::svm:
    case ModelKind::svr:
    case ModelKind::neighbors:
    case ModelKind::ridge:
    case ModelKind::neighbor_regressor:
      return false;
  }
  return false;
}

struct TrainArguments {
  InputArguments input;  // the data, its format and the dropped columns
  std::string target;
  ModelKind kind = ModelKind::svm;
  std::optional<std::string> positive, above;

  std::optional<double> gamma, cost, lambda, epsilon, nu;
  std::optional<std::size_t> k;
  DistanceArguments distance;
  KernelArguments kernel;
  std::optional<ClassWeight> weight;

  bool tune = false;
  std::vector<double> grid_gamma, grid_cost, grid_lambda;
  std::vector<std::size_t> grid_k;
  std::optional<std::size_t> folds;

  std::optional<Scaling> scaling;  // as the data suggest
  std::vector<std::string> ordinal, one_hot, category, numeric;
  bool categorical = true;  // text becomes levels, and identifiers are left out
  MissingPolicy missing = MissingPolicy::error;
  std::optional<std::size_t> seed, threads;
  std::optional<double> holdout;      // the share of rows to score with
  std::optional<std::size_t> sample;  // rows to learn from
  std::filesystem::path output;
  bool json = false;
};

void train_command(const TrainArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
