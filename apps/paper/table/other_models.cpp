#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bisector/baselines.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "bisector/version.h"
#include "common/comparison.h"
#include "common/synthetic.h"
#include "studies.h"

namespace bisector::paper {
namespace {

const std::string kBaseline(ExactShapley::kName);

/// The number of sampled removal orders for neighbors, each with its own background row. Exact
/// Shapley values of neighbors would take all subsets of features.
constexpr std::size_t kOrders = 300;
const std::string kNeighborBaseline = fmt::format("shapley of {} orders", kOrders);
const std::string kNeighbors = "knn";

std::vector<Candidate> candidates(const std::vector<Method>& baselines) {
  std::vector<Candidate> all{{kAuto, Auto{}}, {kDataView, Auto{View::data}}};
  std::vector<Method> methods{EtaRule{}, PathRule{}, ExpectedPathRule{}};
  methods.insert(methods.end(), baselines.begin(), baselines.end());
  for (const Method& method : methods) all.push_back({std::string(name(method)), method});
  all.push_back({std::string(RandomOrder::kName), RandomOrder{}});
  return all;
}

/// With disjoint donor rows every method has a background: exact Shapley values are interventional.
std::vector<Candidate> kernel_methods(const Model&, const Split&, std::uint64_t) {
  return candidates({IntegratedGradients{}, SampledShapley{}, ExactShapley{}});
}

/// Interventional Shapley values of the prediction, by sampling.
Matrix interventional_shapley(const Model& model, MatrixView<const double> rows,
                              const Matrix& background, std::uint64_t seed) {
  const DecisionFunction decide(model);
  const auto predict = [&](MatrixView<const double> mixed, std::span<double> values) {
    const Matrix predicted = decide(mixed).decisions;
    for (std::size_t r = 0; r < mixed.rows(); ++r) values[r] = predicted(r, 0);
  };
  Matrix mean(rows.rows(), rows.cols());
  for (std::size_t n = 0; n < kOrders; ++n) {
    const SampledShapley order{.sequences = 1, .seed = derived_seed(seed, n)};
    const Matrix part =
        sampled_shapley(predict, rows, background.row(n % background.rows()), order);
    for (std::size_t r = 0; r < mean.rows(); ++r) {
      for (std::size_t d = 0; d < mean.cols(); ++d)
        mean(r, d) += part(r, d) / static_cast<double>(kOrders);
    }
  }
  return mean;
}

CaseOptions case_options(const OtherModelsOptions& options) {
  return {.seeds = options.seeds,
          .max_rows = options.max_rows,
          .flip = {.donors = Donors::disjoint, .rows = options.rows},
          .methods = kernel_methods};
}

CaseOptions neighbor_options(const OtherModelsOptions& options) {
  CaseOptions own = case_options(options);
  own.methods = [rows = options.rows](const Model& model, const Split& data, std::uint64_t seed) {
    std::vector<Candidate> all = candidates({Occlusion{}, SampledShapley{}});
    const DonorSplit donors = split_donors(data.train_rows.rows(), Donors::disjoint, seed);
    const auto explained = data.test_rows.view().rows(0, std::min(rows, data.test_rows.rows()));
    all.insert(
        all.end() - 1,
        {kNeighborBaseline,
         GivenRelevance{interventional_shapley(model, explained,
                                               gather_rows(data.train_rows, donors.rule), seed),
                        false}});
    return all;
  };
  return own;
}

/// Both views compared with the baseline, line by line: the model view should be at least as good
/// within one paired standard error, the data view better.
std::string judged(const std::vector<StudyRow>& rows, const std::string& baseline) {
  TextTable table{{"dataset", "model", kAuto + " minus " + baseline, "at least as good",
                   kDataView + " minus " + baseline, "better"},
                  {}};
  for (const StudyRow& row : rows) {
    const Estimate model = *row.difference(kAuto, baseline),
                   data = *row.difference(kDataView, baseline);
    table.rows.push_back({row.info.name, row.kind, words(model),
                          model.mean <= model.standard_error ? "yes" : "**no**", words(data),
                          data.mean < 0.0 ? "yes" : "**no**"});
  }
  return table.markdown();
}

std::string section(const std::vector<StudyRow>& rows, const std::string& baseline) {
  return fmt::format("{}\n{}\n{}{}\n{}\n", per_dataset(rows).markdown(),
                     compared(rows, baseline).markdown(), verdict(rows, kAuto, baseline),
                     verdict(rows, kDataView, baseline), judged(rows, baseline));
}

void run_and_write(const std::string& id, const std::string& heading,
                   const OtherModelsOptions& options, const std::vector<StudyCase>& cases,
                   std::ostream& log) {
  StudyRun study(
      options.out, id,
      fmt::format("seeds={} rows={} max_rows={}", options.seeds, options.rows, options.max_rows),
      log);
  const std::vector<StudyRow> rows = run_cases(study, cases);
  std::vector<StudyRow> kernels, neighbors;
  for (const StudyRow& row : rows) (row.kind == kNeighbors ? neighbors : kernels).push_back(row);
  std::string text = fmt::format(
      "# {}\n\nThe answer is in [findings.md](findings.md). Made by `bisector-paper {}` {}: {} "
      "seed(s) of split and sampling, {} held-out rows and at most {} rows of each "
      "dataset.\n\nCells are AUFC with disjoint donor rows (lower is more faithful): mean ± "
      "standard error over samples and seeds. The background of every method is one half of the "
      "training rows, so `{}` has the exact interventional Shapley values. The other half imputes "
      "removed features.\n\n## Gaussian kernels\n\n{}",
      heading, id, kVersion, options.seeds, options.rows, options.max_rows, kBaseline,
      section(kernels, kBaseline));
  TextTable csv = study_csv(kernels, kBaseline);
  if (!neighbors.empty()) {
    text += fmt::format(
        "\n## Nearest neighbors\n\nExact Shapley values of neighbors would need every subset of "
        "the features with every row of the background. `{}` are sampled interventional Shapley "
        "values of the prediction; each order of removal has its own background row. The only "
        "reference of `{}` and `{}` is the mean.\n\n{}",
        kNeighborBaseline, name(Occlusion{}), name(SampledShapley{}),
        section(neighbors, kNeighborBaseline));
    const TextTable more = study_csv(neighbors, kNeighborBaseline);
    csv.rows.insert(csv.rows.end(), more.rows.begin(), more.rows.end());
  }
  study.write(csv.csv(), text);
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
    const NeighborLearner learner{info.k > 1 ? info.k : NeighborLearner{}.k};  // the paper's, or 9
    const ModelPlan neighbors{kNeighbors, learner, {}, true};
    cases.push_back(model_case(info, dataset, neighbors, neighbor_options(options)));
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
  run_and_write("regressors", "Is the default faithful for regressors?", options, cases, log);
}

void run_one_class(const OtherModelsOptions& options, std::ostream& log) {
  std::vector<StudyCase> cases;
  for (const DatasetInfo& info : dataset_infos()) {
    if (info.is_image || !is_there(info, options.data, log)) continue;
    cases.push_back(model_case(info, lazy_dataset(info, options.data),
                               {"one-class", OneClassLearner{}}, case_options(options)));
  }
  run_and_write("one-class", "Is the default faithful for one-class SVMs?", options, cases, log);
}

}  // namespace bisector::paper
