#include "truth/truth_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "bisector/train/train.h"
#include "bisector/version.h"
#include "common/synthetic.h"

namespace bisector::paper {
namespace {

constexpr double kGamma = 1.0;            // with a median distance of 1
constexpr std::size_t kBackground = 200;  // of the training rows
constexpr std::size_t kOrders = 60;  // sampled removal orders, each with its own background row

Matrix some_rows(const Matrix& rows, std::size_t first, std::size_t count) {
  count = std::min(count, rows.rows() - first);
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return gather_rows(rows, numbers);
}

TruthProblem additive(const Learner& learner, std::size_t points, std::size_t rows,
                      double correlation, std::uint64_t seed) {
  const AdditiveProblem made = make_additive(points + rows, correlation, seed);
  const Matrix train_rows = some_rows(made.rows, 0, points);
  const std::vector<double> numbers(made.target.begin(),
                                    made.target.begin() + static_cast<std::ptrdiff_t>(points));
  const bool is_classifier = std::holds_alternative<SvmLearner>(learner) ||
                             std::holds_alternative<NeighborLearner>(learner);
  const ClassTarget classes = classes_above(numbers, percentile(numbers, 50));
  TrainOptions options;
  if (!std::holds_alternative<NeighborLearner>(learner)) {
    options.tune = TuneOptions{.seed = seed};
    options.tune->grid.gamma = {kGamma};
    options.tune->grid.cost = {1, 10, 100};
    options.tune->grid.lambda = {1e-3, 1e-2, 1e-1};
  }
  Model model =
      train(learner, train_rows.view(), is_classifier ? Target(classes) : Target(numbers), options)
          .model;
  return {std::move(model), some_rows(train_rows, 0, kBackground),
          some_rows(made.rows, points, rows), some_rows(made.effects, points, rows),
          is_classifier ? std::optional(classes.labels[1]) : std::nullopt};
}

TruthKind additive_kind(const std::string& id, const std::string& title, const Learner& learner) {
  const bool is_neighbors = std::holds_alternative<NeighborLearner>(learner);
  return {id, title, !is_neighbors,
          [=](const TruthOptions& options, double correlation, std::uint64_t seed) {
            return additive(learner, is_neighbors ? options.neighbor_points : options.points,
                            options.rows, correlation, seed);
          }};
}

TruthProblem displaced(const TruthOptions& options, double correlation, std::uint64_t seed) {
  DisplacedProblem made = make_displaced(options.points, options.rows, correlation, seed);
  Model model = train(OneClassLearner{.gamma = kGamma}, made.usual.view(), std::monostate()).model;
  return {std::move(model), some_rows(made.usual, 0, kBackground), std::move(made.rows),
          std::move(made.effects), std::nullopt};
}

ExplainOptions explain_options(const TruthProblem& problem) {
  ExplainOptions options;
  options.unit = Unit::g;
  options.positive_class = problem.positive;
  options.background = problem.background;
  return options;
}

TruthMethod of(const std::string& name, const Method& method) {
  return {name, [=](const TruthProblem& problem) {
            return explain(problem.model, problem.rows.view(), method, explain_options(problem))
                .relevance;
          }};
}

/// Interventional: each order takes the absent features from its own background row.
Matrix sampled_shapley(const TruthProblem& problem, ExplainedOutput output) {
  Matrix mean(problem.rows.rows(), problem.rows.cols());
  for (std::size_t k = 0; k < kOrders; ++k) {
    ExplainOptions options = explain_options(problem);
    const auto row = problem.background.row(k % problem.background.rows());
    options.reference = {Reference::Kind::given, {row.begin(), row.end()}};
    const SampledShapley method{.sequences = 1, .seed = k, .output = output};
    const Matrix part = explain(problem.model, problem.rows.view(), method, options).relevance;
    for (std::size_t r = 0; r < mean.rows(); ++r) {
      for (std::size_t d = 0; d < mean.cols(); ++d)
        mean(r, d) += part(r, d) / static_cast<double>(kOrders);
    }
  }
  return mean;
}

}  // namespace

const std::vector<TruthKind>& truth_kinds() {
  static const std::vector<TruthKind> kinds = {
      additive_kind("ridge", "Kernel ridge", RidgeLearner{.gamma = kGamma}),
      additive_kind("svr", "SVR", SvrLearner{.gamma = kGamma}),
      additive_kind("svm", "SVM", SvmLearner{.gamma = kGamma}),
      additive_kind("knn", "KNN (k = 9)", NeighborLearner{9}),
      {"one-class", "One-class SVM", true, displaced}};
  return kinds;
}

std::vector<TruthMethod> truth_methods(const TruthKind& kind) {
  std::vector<TruthMethod> methods{of("auto", Auto{}),
                                   of("auto (data view)", Auto{View::data}),
                                   of("lrp", EtaRule{}),
                                   of("lrp with eta 1", EtaRule{.eta = 1.0}),
                                   of("lrp-path", PathRule{}),
                                   of("lrp-path with eta 0", PathRule{.eta = 0.0}),
                                   of("lrp-path + N", PathRule{.neighborhood = 0.5})};
  for (const auto& [words, side] :
       {std::pair{"all", ReferenceSide::all}, std::pair{"other", ReferenceSide::other},
        std::pair{"both", ReferenceSide::both}}) {
    methods.push_back(of(fmt::format("lrp-expected {}", words),
                         ExpectedPathRule{.references = 60, .side = side}));
    methods.push_back(of(fmt::format("lrp-expected {} with 240 references", words),
                         ExpectedPathRule{.references = 240, .side = side}));
    methods.push_back(of(fmt::format("lrp-expected {} + N", words),
                         ExpectedPathRule{.side = side, .neighborhood = 0.5}));
  }
  methods.push_back(of("neighborhood", NeighborhoodRule{}));
  if (kind.has_gradients) {
    methods.push_back(of("gi", GradientTimesInput{}));
    methods.push_back(of("ig", IntegratedGradients{}));
  }
  const ExplainedOutput output = kind.has_gradients ? ExplainedOutput::f : ExplainedOutput::votes;
  methods.push_back(
      {fmt::format("shapley of {} with background", kind.has_gradients ? "f" : "votes"),
       [=](const TruthProblem& problem) { return sampled_shapley(problem, output); }});
  if (kind.has_gradients) methods.push_back(of("shapley-exact with background", ExactShapley{}));
  return methods;
}

std::string truth_words(const TruthOptions& options) {
  return fmt::format(
      "The answer is in [README.md](README.md). Made by `bisector-paper truth` {}: {} seeds, {} "
      "rows explained in each, mean ± standard error over the seeds.\n\n"
      "**Regressors and classifiers** learn y = Σ f_d(x_d) of eight standard normal features: x, "
      "−x, 1.5 tanh 2x, −1.5 tanh 2x, 0.7 (x² − 1), 1.2 sin 2x and two without effect. The noise "
      "has a standard deviation of 0.1. Classifiers predict whether y is above its median; "
      "regressors are explained relative to the mean. The true effect of a feature is f_d(x_d) "
      "minus its mean. Models have {} points (KNN {}), gamma "
      "s² = {} and tuned C or lambda. Every method has a background of {} training rows. Sampled "
      "Shapley values use {} orders of removal, each with its own background row.\n\n"
      "**One-class models** learn eight normal features. The explained rows have two features "
      "displaced by three to five standard deviations. Their true effect on the log density is "
      "−displacement² / 2; that of the others is zero. The model uses every feature, so \"on "
      "unused features\" is here the share of relevance on features that were not displaced.\n\n"
      "- **sign correct**: share of the effects above 0.5 in size whose relevance has the right "
      "sign.\n- **on unused features**: share of |relevance| on features without effect; lower is "
      "better.\n- **correlation**: of relevance and effects within a row.\n- `all`, `other`, "
      "`both`: sides of the decision from which the references come. `+ N`: blended half and half "
      "with the neighborhood rule.\n",
      kVersion, options.seeds, options.rows, options.points, options.neighbor_points, kGamma,
      kBackground, kOrders);
}

}  // namespace bisector::paper
