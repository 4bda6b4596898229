// A study runs the protocol over datasets, models and seeds and keeps every finished unit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
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
  std::vector<Donors> donors = {Donors::same};
};

struct Estimate {
  double mean, standard_error;
};
/// Of one seed: over its rows.
Estimate estimate(std::span<const double> values);
/// The mean over seeds. The standard error counts samples and seeds: the variance is that of the
/// seeds' means, but not less than what the samples alone make.
Estimate combine(const std::vector<Estimate>& seeds);

/// What a unit of work leaves in the journal.
struct UnitResult {
  std::string parameters;
  double accuracy;
  std::vector<Score> scores;
};

/// A dataset with a kind of model, and how it is run for a seed.
struct StudyCase {
  DatasetInfo info;  // of generated problems id and name
  std::string kind;
  std::size_t seeds;
  std::function<UnitResult(std::uint64_t seed)> run;
};

/// One line of a table.
struct StudyRow {
  DatasetInfo info;
  std::string kind;
  Donors donors;
  std::string parameters;  // of the models, over the seeds
  double accuracy;
  std::vector<std::pair<std::string, Estimate>>
      methods;                                         // in the order in which they were asked for
  std::vector<std::vector<std::vector<double>>> aufc;  // by method, seed and row

  const Estimate* find(const std::string& method) const;
  /// One for the lowest mean; ties share the better rank.
  std::size_t rank(const std::string& method) const;
  /// Of the mean AUFC of `method` less that of `other`, row by row; nothing where one is missing.
  std::optional<Estimate> difference(const std::string& method, const std::string& other) const;
};

/// Runs what is not in `out`/<name>.journal yet, telling `log` about every unit and how long it
/// took. `settings` are part of the journal's heading. A row for each case and kind of donors.
std::vector<StudyRow> run_cases(const std::string& name, const std::string& settings,
                                const std::filesystem::path& out,
                                const std::vector<StudyCase>& cases, std::ostream& log);

/// How a dataset becomes cases: a learner with its grid, and what is compared.
struct ModelPlan {
  std::string kind;
  Learner learner;
  std::optional<Grid> grid = {};  // none: the learner's own parameters
  bool to_numbers = false;        // neighbors: a regressor
};
struct CaseOptions {
  std::size_t seeds = 5, max_rows = 5000;  // of the data
  FlipOptions flip = {};
  std::function<std::vector<Candidate>(const Model&, const Split&, std::uint64_t seed)> methods;
};
/// One-class learners see the most frequent class of the data.
StudyCase model_case(const DatasetInfo& info, const std::function<const Dataset&()>& dataset,
                     const ModelPlan& plan, const CaseOptions& options);

/// The methods for a model of this kind on this dataset.
using MethodsFor = std::function<std::vector<Candidate>(ModelKind, const DatasetInfo&, Donors)>;

/// The same over the datasets and kinds of models of the options.
std::vector<StudyRow> run_study(const std::string& name, const StudyOptions& options,
                                const MethodsFor& methods, std::ostream& log);

/// A dataset that is read when it is first asked for, and once.
std::function<const Dataset&()> lazy_dataset(const DatasetInfo& info,
                                             const std::filesystem::path& folder);

}  // namespace bisector::paper
