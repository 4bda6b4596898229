#include "table/other_models.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/version.h"
#include "common/comparison.h"
#include "common/synthetic.h"

namespace bisector::paper {
namespace {

const std::string kBaseline(ExactShapley::kName);
const std::string kAuto(Auto::kName), kDataView = kAuto + " (data's view)";

/// With disjoint donors every method has a background, and exact Shapley values are interventional.
std::vector<Candidate> methods(const Model&) {
  std::vector<Candidate> all{{kAuto, Auto{}}, {kDataView, Auto{View::data}}};
  for (const Method& method :
       {Method(EtaRule{}), Method(PathRule{}), Method(ExpectedPathRule{}),
        Method(IntegratedGradients{}), Method(SampledShapley{}), Method(ExactShapley{})})
    all.push_back({std::string(name(method)), method});
  all.push_back({std::string(RandomOrder::kName), RandomOrder{}});
  return all;
}

CaseOptions case_options(const OtherModelsOptions& options) {
  return {.seeds = options.seeds,
          .max_rows = options.max_rows,
          .flip = {.donors = Donors::disjoint, .rows = options.rows},
          .methods = methods};
}

std::string verdict(const std::vector<StudyRow>& rows, const std::string& method) {
  const Counts counts = count(rows, method, kBaseline);
  return fmt::format(
      "- `{}` is at least as good as {} within one paired standard error in {} of {} lines, and "
      "better by more than two in {}.\n",
      method, kBaseline, counts.at_least_as_good, counts.rows, counts.better);
}

void write_results(const std::string& id, const std::string& heading,
                   const OtherModelsOptions& options, const std::vector<StudyRow>& rows,
                   std::ostream& log) {
  const std::string text = fmt::format(
      "# {}\n\nMade by `bisector-paper {}` {} with {} seed(s) of split and sampling, {} held-out "
      "rows and at most {} rows of each dataset. AUFC with disjoint donors, lower is better: mean "
      "± standard error over samples and seeds. Every method has one half of the training rows for "
      "its background, so `{}` is the exact interventional Shapley value; the other half completes "
      "removed features.\n\n{}\n## Means over the lines\n\n{}\n{}{}",
      heading, id, kVersion, options.seeds, options.rows, options.max_rows, kBaseline,
      per_dataset(rows).markdown(), compared(rows, kBaseline).markdown(), verdict(rows, kAuto),
      verdict(rows, kDataView));
  write_file(options.out / (id + ".csv"), study_csv(rows, kBaseline).csv());
  write_file(options.out / (id + ".md"), text);
  fmt::print(log, "wrote {}\n", (options.out / (id + ".md")).string());
}

std::string settings(const OtherModelsOptions& options) {
  return fmt::format("seeds={} rows={} max_rows={}", options.seeds, options.rows, options.max_rows);
}

/// Sums of effects, independent and correlated.
std::vector<std::pair<DatasetInfo, Dataset>> generated_sums(std::size_t max_rows) {
  std::vector<std::pair<DatasetInfo, Dataset>> all;
  for (const double correlation : {0.0, 0.5}) {
    DatasetInfo info;
    info.id = info.name = fmt::format("sum of effects {}", correlation);
    all.emplace_back(
        info, make_additive(std::min<std::size_t>(1000, max_rows), correlation, 1).dataset());
  }
  return all;
}

}  // namespace

void run_regressors(const OtherModelsOptions& options, std::ostream& log) {
  std::vector<StudyCase> cases;
  const auto add = [&](const DatasetInfo& info, const std::function<const Dataset&()>& dataset) {
    Grid grid;
    grid.gamma = {info.gamma};
    grid.cost = {1, 10, 100};
    for (const ModelPlan& plan :
         {ModelPlan{"ridge", RidgeLearner{}, grid}, ModelPlan{"svr", SvrLearner{}, grid}})
      cases.push_back(model_case(info, dataset, plan, case_options(options)));
  };
  std::vector<DatasetInfo> infos = chosen_datasets({"concrete", "real_estate", "wine"});
  for (const DatasetInfo& info : outside_dataset_infos()) {
    if (info.above) infos.push_back(info);
  }
  for (const DatasetInfo& info : infos) {
    if (is_there(info, options.data, log)) add(info, lazy_dataset(info, options.data));
  }
  const auto sums = generated_sums(options.max_rows);
  for (const auto& sum : sums) add(sum.first, [&sum]() -> const Dataset& { return sum.second; });
  write_results("regressors", "Faithfulness of explanations: regressors", options,
                run_cases("regressors", settings(options), options.out, cases, log), log);
}

void run_one_class(const OtherModelsOptions& options, std::ostream& log) {
  std::vector<StudyCase> cases;
  for (const DatasetInfo& info : dataset_infos()) {
    if (info.is_image || !is_there(info, options.data, log)) continue;
    cases.push_back(model_case(info, lazy_dataset(info, options.data),
                               {"one-class", OneClassLearner{}}, case_options(options)));
  }
  write_results("one-class", "Faithfulness of explanations: one-class SVMs", options,
                run_cases("one-class", settings(options), options.out, cases, log), log);
}

}  // namespace bisector::paper
