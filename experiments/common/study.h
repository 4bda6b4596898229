// A study runs the protocol over datasets, models and seeds and keeps every finished unit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "common/dataset.h"
#include "common/protocol.h"

namespace bisector::paper {

struct StudyOptions {
  std::filesystem::path data;  // the folder of the datasets
  std::filesystem::path out = "results";
  std::size_t seeds = 5;              // of split and sampling; the image sets take one
  std::vector<std::string> datasets;  // ids; empty: all
  std::vector<ModelKind> models = {ModelKind::svm, ModelKind::knn};
  bool tune_all = false;
};

/// A mean over seeds. The standard error counts samples and seeds: the variance is that of the
/// seeds' means, but not less than what the samples alone make.
struct Estimate {
  double mean, standard_error;
};
Estimate combine(const std::vector<Score>& seeds);

/// One line of a table.
struct StudyRow {
  DatasetInfo info;
  ModelKind kind;
  std::string parameters;  // of the models, over the seeds
  double accuracy;
  std::vector<std::pair<std::string, Estimate>>
      methods;  // in the order in which they were asked for

  const Estimate* find(const std::string& method) const;
  /// One for the lowest mean; ties share the better rank.
  std::size_t rank(const std::string& method) const;
};

/// The methods for a model of this kind on this dataset.
using MethodsFor = std::function<std::vector<Candidate>(ModelKind, const DatasetInfo&)>;

/// Runs what is not in `out`/<name>.journal yet, telling `log` about every unit, what is missing
/// and how long each took.
std::vector<StudyRow> run_study(const std::string& name, const StudyOptions& options,
                                const MethodsFor& methods, std::ostream& log);

}  // namespace bisector::paper
