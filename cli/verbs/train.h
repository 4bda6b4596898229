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
#include "cli/options/input.h"

namespace bisector::cli {

enum class ModelKind { svm, svr, one_class, neighbors, ridge };

struct TrainArguments {
  InputArguments input;  // the data, its format and the dropped columns
  std::string target;
  ModelKind kind = ModelKind::svm;
  std::optional<std::string> positive, above;

  std::optional<double> gamma, cost, lambda, epsilon, nu;
  std::optional<std::size_t> k;
  std::optional<ClassWeight> weight;

  bool tune = false;
  std::vector<double> grid_gamma, grid_cost, grid_lambda;
  std::vector<std::size_t> grid_k;
  std::optional<std::size_t> folds;

  Scaling scaling = Scaling::standard_median;
  std::vector<std::string> ordinal, one_hot;
  MissingPolicy missing = MissingPolicy::error;
  std::optional<std::size_t> seed, threads;
  std::optional<double> holdout;      // the share of rows to score with
  std::optional<std::size_t> sample;  // rows to learn from
  std::filesystem::path output;
  bool json = false;
};

void train_command(const TrainArguments& arguments, std::ostream& out, std::ostream& notes);

}  // namespace bisector::cli
