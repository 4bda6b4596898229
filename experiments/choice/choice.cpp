#include "choice/choice.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/version.h"
#include "common/comparison.h"
#include "common/synthetic.h"

namespace bisector::paper {
namespace {

const std::string kBaseline(PathRule::kName);

std::vector<Candidate> candidates(const Model& model) {
  const double path_eta = *Explainer(model, PathRule{}).settings().eta;
  std::vector<Candidate> all{{"lrp", EtaRule{}},
                             {kBaseline, PathRule{}},
                             {"lrp-path eta 0", PathRule{.eta = 0.0}},
                             {"lrp-path + N", PathRule{.neighborhood = 0.5}}};
  for (const auto& [side_name, side] :
       {std::pair{"all", ReferenceSide::all}, std::pair{"other", ReferenceSide::other},
        std::pair{"both", ReferenceSide::both}}) {
    const auto add = [&](const std::string& words, const ExpectedPathRule& rule) {
      all.push_back({fmt::format("lrp-expected {} {}", side_name, words), rule});
    };
    add("eta 0", {.eta = 0.0, .side = side});
    add("path's eta", {.eta = path_eta, .side = side});
    add("eta 0.2", {.eta = 0.2, .side = side});
    add("eta 0 + N", {.eta = 0.0, .side = side, .neighborhood = 0.5});
    add("eta 0 240 references", {.eta = 0.0, .references = 240, .side = side});
  }
  all.push_back({"neighborhood", NeighborhoodRule{}});
  return all;
}

/// A sort of problem, with the models that it is for.
enum class Sort { two_classes, many_classes, numbers, one_class };

std::vector<ModelPlan> plans(Sort sort) {
  Grid grid;
  grid.cost = {1, 10, 100};
  const auto svm = [&](const std::string& kind, double gamma) {
    Grid own = grid;
    own.gamma = {gamma};
    return ModelPlan{fmt::format("{} gamma={}", kind, gamma), SvmLearner{.gamma = gamma}, own};
  };
  Grid smooth = grid;
  smooth.gamma = {1.0};
  switch (sort) {
    case Sort::two_classes:
      return {svm("svm", 0.1),
              svm("svm", 1.0),
              svm("svm", 10.0),
              {"knn k=3", NeighborLearner{3}},
              {"knn k=9", NeighborLearner{9}},
              {"knn k=25", NeighborLearner{25}}};
    case Sort::many_classes:
      return {svm("many-class svm", 1.0), {"many-class knn k=9", NeighborLearner{9}}};
    case Sort::numbers:
      return {{"ridge", RidgeLearner{}, smooth}, {"svr", SvrLearner{}, smooth}};
    case Sort::one_class:
      return {{"one-class", OneClassLearner{}}};
  }
  return {};
}

struct Problem {
  DatasetInfo info;
  std::function<const Dataset&()> dataset;
  std::vector<Sort> sorts;
};

Problem generated(const std::string& id, Dataset dataset, const std::vector<Sort>& sorts) {
  dataset.info.id = dataset.info.name = id;
  const auto kept = std::make_shared<const Dataset>(std::move(dataset));
  return {kept->info, [kept]() -> const Dataset& { return *kept; }, sorts};
}

std::vector<Problem> generated_problems(const ChoiceOptions& options) {
  // Numbers that the study of the heuristics does not reach.
  constexpr std::size_t kFirst = 1000;
  std::vector<Problem> problems;
  for (std::size_t n = 0; n < options.problems; ++n) {
    SyntheticOptions two = study_problem(kFirst + n);
    two.rows = options.points;
    problems.push_back(generated(fmt::format("clusters {}", n), make_classification(two),
                                 {Sort::two_classes, Sort::one_class}));
    two.classes = 3 + n % 3;
    two.informative = std::max<std::size_t>(two.informative, 4);
    two.clusters_per_class = std::min<std::size_t>(two.clusters_per_class, 2);
    problems.push_back(generated(fmt::format("many clusters {}", n), make_classification(two),
                                 {Sort::many_classes}));
    problems.push_back(
        generated(fmt::format("sum {}", n),
                  make_additive(options.points, n % 2 == 0 ? 0.0 : 0.5, kFirst + n).dataset(),
                  {Sort::two_classes, Sort::numbers}));
  }
  return problems;
}

std::vector<Problem> given_problems(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems;
  for (const DatasetInfo& info : outside_dataset_infos()) {
    if (!is_there(info, options.data, log)) continue;
    std::vector<Sort> sorts{Sort::many_classes};
    if (info.positive) sorts = {Sort::two_classes};
    if (info.above) sorts = {Sort::two_classes, Sort::numbers};
    const auto dataset = lazy_dataset(info, options.data);
    // One class of a small set leaves too few rows for two halves.
    constexpr std::size_t kEnoughRows = 400;
    if (!info.is_image && dataset().rows.rows() >= kEnoughRows) sorts.push_back(Sort::one_class);
    problems.push_back({info, dataset, sorts});
  }
  return problems;
}

std::string page(const ChoiceOptions& options, const std::vector<StudyRow>& rows) {
  std::string text = fmt::format(
      "# Which rule is the default?\n\nMade by `bisector-paper choice` {}: generated problems and "
      "datasets outside the paper's table, {} seed(s), up to {} held-out rows each. AUFC with "
      "disjoint donors (the rules see one half of the training rows, completion the other), lower "
      "is better; the rules' eta, sides and shares are candidates, `+ N` is half of the "
      "neighbourhood rule. Differences to {} are means over the problems with their standard "
      "error; the last column counts the problems in which a rule is lower or higher by more than "
      "two paired standard errors over rows.\n",
      kVersion, options.seeds, options.rows, kBaseline);
  std::vector<std::string> kinds;
  for (const char* family : {"svm", "knn", "many-class", "ridge", "svr", "one-class"})
    kinds.emplace_back(family);
  for (const StudyRow& row : rows) {
    if (std::ranges::find(kinds, row.kind) == kinds.end()) kinds.push_back(row.kind);
  }
  for (const std::string& kind : kinds) {
    const std::vector<StudyRow> own = rows_of(rows, kind, Donors::disjoint);
    if (own.empty()) continue;
    text += fmt::format("\n## {} ({} problems)\n\n{}", kind, own.size(),
                        compared(own, kBaseline).markdown());
  }
  return text;
}

}  // namespace

void run_choice(const ChoiceOptions& options, std::ostream& log) {
  std::vector<Problem> problems = generated_problems(options);
  for (Problem& problem : given_problems(options, log)) problems.push_back(std::move(problem));
  std::vector<StudyCase> cases;
  for (const Problem& problem : problems) {
    const bool is_image = problem.info.is_image;
    const CaseOptions plan{.seeds = is_image ? 1 : options.seeds,
                           .max_rows = 2000,
                           .flip = {.donors = Donors::disjoint,
                                    .precision = is_image ? Precision::float32 : Precision::float64,
                                    .rows = is_image ? options.image_rows : options.rows},
                           .methods = candidates};
    for (const Sort sort : problem.sorts) {
      for (const ModelPlan& model : plans(sort))
        cases.push_back(model_case(problem.info, problem.dataset, model, plan));
    }
  }
  const std::vector<StudyRow> rows =
      run_cases("choice", fmt::format("rows={} points={}", options.rows, options.points),
                options.out, cases, log);
  write_file(options.out / "choice.csv", study_csv(rows, kBaseline).csv());
  write_file(options.out / "choice.md", page(options, rows));
  fmt::print(log, "wrote {}\n", (options.out / "choice.md").string());
}

}  // namespace bisector::paper
