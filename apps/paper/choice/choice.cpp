#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/version.h"
#include "choice/choice_problems.h"
#include "common/comparison.h"
#include "studies.h"

namespace bisector::paper {
namespace {

using Candidates = std::vector<Candidate>;

const std::string kPath(PathRule::kName), kExpected(ExpectedPathRule::kName);

double path_eta(const Model& model) { return *Explainer(model, PathRule{}).settings().eta; }

/// Candidates for classifiers.
Candidates of_classes(const Model& model) {
  Candidates all{{"lrp", EtaRule{}},
                 {kPath, PathRule{}},
                 {"lrp-path eta 0", PathRule{.eta = 0.0}},
                 {"lrp-path + N", PathRule{.neighborhood = 0.5}}};
  for (const auto& [side_name, side] :
       {std::pair{"all", ReferenceSide::all}, std::pair{"other", ReferenceSide::other},
        std::pair{"both", ReferenceSide::both}}) {
    const auto add = [&](const std::string& words, const ExpectedPathRule& rule) {
      all.push_back({fmt::format("lrp-expected {} {}", side_name, words), rule});
    };
    add("eta 0", {.eta = 0.0, .side = side});
    add("path's eta", {.eta = path_eta(model), .side = side});
    add("eta 0.2", {.eta = 0.2, .side = side});
    add("eta 0 + N", {.eta = 0.0, .side = side, .neighborhood = 0.5});
    add("eta 0 240 references", {.eta = 0.0, .references = 240, .side = side});
  }
  all.push_back({"neighborhood", NeighborhoodRule{}});
  return all;
}

/// Candidates for kernel machines: rules on g, and Shapley values of f.
Candidates of_numbers(const Model& model) {
  Candidates all{
      {"lrp", EtaRule{}},
      {kPath, PathRule{}},
      {kExpected, ExpectedPathRule{}},
      {"lrp-expected path's eta", ExpectedPathRule{.eta = path_eta(model)}},
      {"lrp-expected 240", ExpectedPathRule{.references = 240}},
      {"lrp-expected both", ExpectedPathRule{.side = ReferenceSide::both}},
      {"lrp-expected both 240", ExpectedPathRule{.references = 240, .side = ReferenceSide::both}},
      {"lrp-path + N", PathRule{.neighborhood = 0.5}},
      {"lrp-expected + N", ExpectedPathRule{.neighborhood = 0.5}},
      {"shapley-exact background", ExactShapley{}}};
  for (const std::size_t references : {30u, 60u, 120u, 240u})
    all.push_back(
        {fmt::format("shapley-exact {}", references), ExactShapley{.references = references}});
  all.push_back({"shapley-exact 60 + N", ExactShapley{.references = 60, .neighborhood = 0.5}});
  return all;
}

/// Candidates for neighbors with categories, which have no reference point and no gradient.
Candidates of_categories(const Model&) {
  return {{"lrp", EtaRule{}},
          {kExpected, ExpectedPathRule{}},
          {"lrp-expected eta 0.2", ExpectedPathRule{.eta = 0.2}},
          {"lrp-expected all", ExpectedPathRule{.side = ReferenceSide::all}},
          {"lrp-expected 240", ExpectedPathRule{.references = 240}},
          {"lrp-expected + N", ExpectedPathRule{.neighborhood = 0.5}},
          {"neighborhood", NeighborhoodRule{}},
          {"occlusion", Occlusion{ExplainedOutput::outcome}}};
}

Candidates of_many_features(const Model& model) {
  return {{"lrp", EtaRule{}},
          {kPath, PathRule{}},
          {kExpected, ExpectedPathRule{}},
          {"lrp-expected eta 0", ExpectedPathRule{.eta = 0.0}},
          {"lrp-expected path's eta", ExpectedPathRule{.eta = path_eta(model)}},
          {"lrp-expected lrp's eta",
           ExpectedPathRule{.eta = *Explainer(model, EtaRule{}).settings().eta}},
          {"lrp-expected 240", ExpectedPathRule{.references = 240}},
          {"lrp-path + N", PathRule{.neighborhood = 0.5}},
          {"lrp-expected + N", ExpectedPathRule{.neighborhood = 0.5}}};
}

ModelPlan kernel_plan(const std::string& kind, const Learner& learner, double gamma) {
  Grid grid;
  grid.cost = {1, 10, 100};
  grid.gamma = {gamma};
  return {fmt::format("{} gamma={}", kind, gamma), learner, grid};
}

/// By Hamming's distance, and by Gower's with every other feature a number; votes by distance.
std::vector<ModelPlan> category_plans(std::size_t features) {
  NeighborVote hamming, gower;
  hamming.distance = Distance::hamming(features);
  std::vector<double> categories(features, 1.0);
  for (std::size_t d = 1; d < features; d += 2) categories[d] = 0.0;
  gower.distance = Distance(1.0, std::move(categories));
  gower.weights = NeighborVote::Weights::distance;
  return {{"knn Hamming", NeighborLearner{9, hamming}}, {"knn Gower", NeighborLearner{9, gower}}};
}

std::vector<ModelPlan> plans(ProblemSort sort, const Problem& problem) {
  const auto svm = [](const char* kind, double gamma) {
    return kernel_plan(kind, SvmLearner{.gamma = gamma}, gamma);
  };
  std::vector<ModelPlan> all;
  switch (sort) {
    case ProblemSort::two_classes:
      for (const double gamma : {0.1, 1.0, 10.0}) all.push_back(svm("svm", gamma));
      for (const std::size_t k : {3u, 9u, 25u})
        all.push_back({fmt::format("knn k={}", k), NeighborLearner{k}});
      break;
    case ProblemSort::kernel_classes:
      for (const double gamma : {0.3, 1.0, 3.0, 10.0}) all.push_back(svm("svm", gamma));
      break;
    case ProblemSort::many_classes:
      all = {svm("many-class svm", 1.0), {"many-class knn k=9", NeighborLearner{9}}};
      break;
    case ProblemSort::numbers:
      for (const double gamma : {1.0, 3.0, 10.0}) {
        all.push_back(kernel_plan("ridge", RidgeLearner{}, gamma));
        all.push_back(kernel_plan("svr", SvrLearner{}, gamma));
      }
      break;
    case ProblemSort::one_class:
      for (const double gamma : {0.3, 1.0, 3.0})
        all.push_back({fmt::format("one-class gamma={}", gamma), OneClassLearner{.gamma = gamma}});
      break;
    case ProblemSort::categories:
      all = category_plans(problem.dataset().rows.cols());
      break;
  }
  return all;
}

/// A part of the study, with its own page.
struct Part {
  std::string name, file, question;
  std::vector<std::string> families;  // kinds of models that are also summarized together
  std::string baseline;
  std::function<Candidates(const Model&)> candidates;
  std::function<std::vector<Problem>(const ChoiceOptions&, std::ostream&)> problems;
};

std::vector<Part> all_parts() {
  const auto part = [](std::string name, std::string question, std::vector<std::string> families,
                       std::string baseline, auto candidates, auto problems) {
    std::string file = name == "classes" ? "choice" : "choice_" + name;
    std::ranges::replace(file, '-', '_');
    return Part{name, file, question, families, baseline, candidates, problems};
  };
  return {
      part("classes", "classifiers", {"svm", "knn", "many-class"}, kPath, of_classes,
           class_problems),
      part("svm", "SVMs of two classes", {"svm"}, kPath, of_numbers, kernel_class_problems),
      part("regressors", "regressors", {"ridge", "svr"}, kExpected, of_numbers, number_problems),
      part("one-class", "one-class machines", {"one-class"}, kPath, of_numbers, one_class_problems),
      part("categories", "neighbors with categories", {"knn"}, "lrp", of_categories,
           category_problems),
      part("many-features", "classifiers with more than 50 features", {"svm", "knn"}, "lrp",
           of_many_features, many_feature_problems)};
}

/// Explains the columns of the tables and the names of the candidates.
std::string legend(const std::string& baseline) {
  return fmt::format(
      "- **AUFC**: with disjoint donor rows. The methods use one half of the training rows; the "
      "other half imputes removed features. Lower is more faithful.\n"
      "- **minus {}**: mean difference over the problems, with its standard error.\n"
      "- **significantly lower, higher**: number of problems in which the method is lower, or "
      "higher, by more than two paired standard errors over the rows.\n"
      "- **names of methods**: `eta 0` sets η, and `path's eta` takes that of `lrp-path`. `all`, "
      "`other` and `both` are the sides of the decision from which the references come. `240` is "
      "the number of references; the default is 60. `+ N` blends the method half and half with "
      "the neighborhood rule.\n",
      baseline);
}

std::string page(const Part& part, const ChoiceOptions& options,
                 const std::vector<StudyRow>& rows) {
  std::string text = fmt::format(
      "# Which method should be the default for {}?\n\nThe conclusion is in "
      "[README.md](README.md). Made by `bisector-paper choice --parts {}` {} on generated problems "
      "and datasets outside the paper's table: {} seed(s), up to {} held-out rows each ({} for "
      "images).\n\n{}",
      part.question, part.name, kVersion, options.seeds, options.rows, options.image_rows,
      legend(part.baseline));
  std::vector<std::string> kinds = part.families;
  for (const StudyRow& row : rows) {
    if (std::ranges::find(kinds, row.kind) == kinds.end()) kinds.push_back(row.kind);
  }
  for (const std::string& kind : kinds) {
    std::vector<StudyRow> own = rows_of(rows, kind, Donors::disjoint);
    // Only families match by prefix: "gamma=1" is a prefix of "gamma=10".
    if (std::ranges::find(part.families, kind) == part.families.end())
      std::erase_if(own, [&](const StudyRow& row) { return row.kind != kind; });
    if (own.empty()) continue;
    text += fmt::format("\n## {} ({} problems)\n\n{}", kind, own.size(),
                        compared(own, part.baseline).markdown());
  }
  return text;
}

std::vector<StudyCase> cases_of(const Part& part, const std::vector<Problem>& problems,
                                const ChoiceOptions& options) {
  std::vector<StudyCase> cases;
  for (const Problem& problem : problems) {
    const bool is_image = problem.info.is_image;
    const CaseOptions plan{
        .seeds = is_image ? 1 : options.seeds,
        .max_rows = 2000,
        .flip = {.donors = Donors::disjoint,
                 .precision = is_image ? Precision::float32 : Precision::float64,
                 .rows = is_image ? options.image_rows : options.rows},
        .methods = [candidates = part.candidates](const Model& model, const Split&, std::uint64_t) {
          return candidates(model);
        }};
    for (const ProblemSort sort : problem.sorts) {
      for (const ModelPlan& model : plans(sort, problem))
        cases.push_back(model_case(problem.info, problem.dataset, model, plan));
    }
  }
  return cases;
}

void run_part(const Part& part, const ChoiceOptions& options, std::ostream& log) {
  StudyRun study(options.out, part.file,
                 fmt::format("rows={} points={}", options.rows, options.points), log);
  const std::vector<StudyRow> rows =
      run_cases(study, cases_of(part, part.problems(options, log), options));
  study.write(study_csv(rows, part.baseline).csv(), page(part, options, rows));
}

}  // namespace

std::vector<std::string> choice_parts() {
  std::vector<std::string> names;
  for (const Part& part : all_parts()) names.push_back(part.name);
  return names;
}

void run_choice(const ChoiceOptions& options, std::ostream& log) {
  for (const Part& part : all_parts()) {
    const bool is_asked =
        options.parts.empty() || std::ranges::find(options.parts, part.name) != options.parts.end();
    if (is_asked) run_part(part, options, log);
  }
}

}  // namespace bisector::paper
