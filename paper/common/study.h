// A study runs the protocol over datasets, models and seeds.
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
#include "common/statistics.h"
#include "common/study_run.h"

namespace bisector::paper {

struct StudyOptions : StudyFolders {
  std::size_t seeds = 5;              // of split and sampling; image datasets take one
  std::vector<std::string> datasets;  // ids; empty: all
  std::vector<ModelKind> models = {ModelKind::svm, ModelKind::knn};
  Selection selection = {};
  std::vector<Donors> donors = {Donors::same};
};

/// The mean over seeds. Its variance is that of the means of the seeds, but at least the variance
/// that follows from the samples.
Estimate combine(const std::vector<Estimate>& seeds);

/// The result of a unit of work, as the journal stores it.
struct UnitResult {
  std::string parameters;
  double accuracy;
  std::vector<Score> scores;
};

/// A dataset with a kind of model, and the function that runs it for a seed.
struct StudyCase {
  DatasetInfo info;
  std::string kind;
  std::size_t seeds;
  std::function<UnitResult(std::uint64_t seed)> run;
};

/// One line of a table.
struct StudyRow {
  DatasetInfo info;
  std::string kind;
  Donors donors;
  std::string parameters;  // of the models of all seeds
  double accuracy;
  std::vector<std::pair<std::string, Estimate>> methods;  // in the requested order
  std::vector<std::vector<std::vector<double>>> aufc;     // by method, seed and row

  const Estimate* find(const std::string& method) const;
  /// 1 for the lowest mean; ties share the better rank.
  std::size_t rank(const std::string& method) const;
  /// Mean AUFC of `method` minus that of `other`, paired by rows; nothing if one is missing.
  std::optional<Estimate> difference(const std::string& method, const std::string& other) const;
};

/// Runs the cases that the journal does not have. Returns a row for each case and kind of donors.
std::vector<StudyRow> run_cases(StudyRun& study, const std::vector<StudyCase>& cases);

/// The methods for a model of this kind on this dataset.
using MethodsFor = std::function<std::vector<Candidate>(ModelKind, const DatasetInfo&, Donors)>;

/// Runs the cases of all datasets and kinds of models of the options.
std::vector<StudyRow> run_cases(StudyRun& study, const StudyOptions& options,
                                const MethodsFor& methods, std::ostream& log);

/// A dataset that is read once, at its first use.
std::function<const Dataset&()> lazy_dataset(const DatasetInfo& info,
                                             const std::filesystem::path& folder);

}  // namespace bisector::paper
