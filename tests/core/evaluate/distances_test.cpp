// Models of every distance are evaluated and chosen for, or refused in one line.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/choose.h"
#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/random_distances.h"

namespace bisector {
namespace {

Matrix normal_rows(std::uint64_t seed, std::size_t rows) {
  Random random(seed);
  return reference::random_matrix(random, rows, 3);
}

std::vector<Model> models_of_distances() {
  const Matrix points = normal_rows(1, 60);
  std::vector<double> targets;
  for (std::size_t n = 0; n < points.rows(); ++n) targets.push_back(points(n, 0) + points(n, 1));
  NeighborVote vote;
  vote.weights = NeighborVote::Weights::distance;
  vote.distance = Distance::manhattan();
  const Kernel matern(KernelTerm{KernelForm::matern32, 1.0});
  const Kernel linear(KernelTerm{KernelForm::polynomial, 1.0});
  return {Model(KernelRegressor{KernelMachine(points, targets, matern, 0.1), 0.0}),
          Model(KernelRegressor{KernelMachine(points, targets, linear, 0.1), 0.0}),
          Model(NeighborRegressor(points, targets, 5, vote)),
          Model(OutlierDetector(points, 5, OutlierDetector::Score::mean_distance, 1.2))};
}

TEST(EvaluateDistances, EveryKindHasACurveAndAChoice) {
  const Matrix background = normal_rows(2, 160), rows = normal_rows(3, 8);
  for (const Model& model : models_of_distances()) {
    EvaluateOptions options;
    options.flipping.samples = 5;
    const Evaluation e =
        evaluate(model, rows, background, view_candidates(model, View::model), options);
    for (const auto& result : e.results) EXPECT_TRUE(std::isfinite(result.mean));
    ChooseOptions choosing;
    choosing.rows = 10;
    choosing.samples = 5;
    for (const View view : {View::model, View::data}) {
      choosing.view = view;
      EXPECT_FALSE(choose(model, background, choosing).measured.figures.empty());
    }
  }
}

TEST(EvaluateDistances, TheDefaultsAreWhatTheModelHas) {
  std::vector<Model> all = models_of_distances();
  const Matrix points = normal_rows(1, 30);
  NeighborVote gower;
  gower.distance = Distance(1.0, {1.0, 0.0, 0.0});
  std::vector<double> targets(30, 1.0);
  targets[0] = 2.0;
  all.emplace_back(NeighborRegressor(points, targets, 5, gower));
  NeighborVote cosine;
  cosine.distance = Distance::cosine();
  const Matrix mixed(3, 3, {1.0, 0.5, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 1.0});
  all.emplace_back(NeighborRegressor(points, targets, 5, cosine),
                   AffineMap({0, 0, 0}, {1, 1, 1}, mixed, {}));
  for (const Model& model : all) {
    const auto candidates = default_candidates(model);
    EXPECT_GT(candidates.size(), 3u);
    for (const Candidate& candidate : candidates) {
      SCOPED_TRACE(candidate.name);
      const auto* method = std::get_if<Method>(&candidate.what);
      if (method == nullptr) continue;
      EXPECT_NO_THROW(Explainer(model, *method, in_g())(points.view().rows(0, 2)));
    }
  }
}

TEST(EvaluateDistances, CategoriesAreImputedFromRealRows) {
  const Distance gower(1.0, {1.0, 0.0, 0.0});
  Matrix points = normal_rows(1, 60), background = normal_rows(2, 160), rows = normal_rows(3, 8);
  for (Matrix* matrix : {&points, &background, &rows}) reference::make_categories(gower, *matrix);
  NeighborVote vote;
  vote.distance = gower;
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < points.rows(); ++n) classes.push_back(points(n, 0) > 0.0 ? 1 : 0);
  const Model model(NeighborModel(points, classes, {"a", "b"}, 5, vote));
  EvaluateOptions options;
  options.flipping.samples = 5;
  const auto candidates = view_candidates(model, View::model);
  EXPECT_NE(error_of([&] {
              evaluate(model, rows, background, candidates, options);
            }).find("expected the marginal imputer"),
            std::string::npos);
  options.flipping.imputer = default_imputer(model);
  EXPECT_TRUE(
      std::isfinite(evaluate(model, rows, background, candidates, options).results[0].mean));
  ChooseOptions choosing;
  choosing.rows = 10;
  choosing.samples = 5;
  for (const View view : {View::model, View::data}) {
    choosing.view = view;
    EXPECT_FALSE(choose(model, background, choosing).measured.figures.empty());
  }
}

}  // namespace
}  // namespace bisector
