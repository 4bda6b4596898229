#include "bisector/choose.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/evaluate/testing_data.h"
#include "core/util/draws.h"
#include "reference/error_of.h"
#include "reference/in_g.h"

namespace bisector {
namespace {

constexpr std::size_t kFeatures = 5;

KernelMachine machine() {
  std::vector<double> coefficients(30);
  for (std::size_t n = 0; n < 30; ++n) coefficients[n] = n % 2 == 0 ? 1.0 : -1.0;
  return KernelMachine(two_clouds(30, kFeatures, 1), coefficients, Kernel(0.1), 0.1);
}

std::vector<Model> models() {
  std::vector<std::size_t> classes(60);
  for (std::size_t n = 0; n < 60; ++n) classes[n] = n % 2;
  return {Model(KernelClassifier::two_class(machine(), "up", "down")),
          Model(KernelRegressor{machine(), 0.05}),
          Model(NeighborModel(two_clouds(60, kFeatures, 5), classes, {"down", "up"}, 5)),
          Model(CentroidModel(two_clouds(3, kFeatures, 6), {"a", "b", "c"})),
          Model(OneClassMachine{KernelMachine(two_clouds(30, kFeatures, 1),
                                              std::vector<double>(30, 1.0), Kernel(0.1), -8.0)})};
}

PixelFlippingResult result_of(std::vector<double> aufc) {
  PixelFlippingResult result;
  result.aufc = std::move(aufc);
  for (const double value : result.aufc)
    result.mean += value / static_cast<double>(result.aufc.size());
  return result;
}

TEST(Winner, LeavesTheFixedChoiceForMoreThanAStandardError) {
  const std::vector<PixelFlippingResult> clear{result_of({0.5, 0.6, 0.4}),
                                               result_of({0.2, 0.35, 0.15})};
  EXPECT_EQ(winner_beside(0, clear), 1u);
  EXPECT_EQ(winner_beside(1, clear), 1u);
  // Better in the mean, by the luck of one row.
  const std::vector<PixelFlippingResult> lucky{result_of({0.5, 0.5, 0.5}),
                                               result_of({0.6, 0.6, 0.1})};
  EXPECT_EQ(winner_beside(0, lucky), 0u);
  const std::vector<PixelFlippingResult> single{result_of({0.5}), result_of({0.1})};
  EXPECT_EQ(winner_beside(0, single), 0u);
}

TEST(ViewCandidates, BeginWithTheFixedChoiceAndHaveNoRuleTwice) {
  for (const Model& model : models()) {
    for (const View view : {View::model, View::data}) {
      const auto candidates = view_candidates(model, view);
      ASSERT_GE(candidates.size(), 3u);
      EXPECT_EQ(candidates[0].name, "auto");
      EXPECT_EQ(std::get<Method>(candidates[0].what),
                Explainer(model, Auto{view}, in_g()).method());
      for (std::size_t a = 0; a < candidates.size(); ++a) {
        const Method& method = std::get<Method>(candidates[a].what);
        EXPECT_FALSE(std::holds_alternative<Auto>(method));
        EXPECT_NO_THROW(Explainer(model, method, in_g()));
        for (std::size_t b = 0; b < a; ++b) {
          EXPECT_NE(candidates[a].name, candidates[b].name);
          EXPECT_NE(method, std::get<Method>(candidates[b].what));
        }
      }
    }
  }
}

// By hand: some rows of the background are evaluated, the others are split.
TEST(Choose, EvaluatesRowsThatNeitherHalfHas) {
  const Matrix background = two_clouds(170, kFeatures, 3);
  for (const Model& model : models()) {
    ChooseOptions options;
    options.seed = 2;
    const Choice choice = choose(model, background, options);
    const auto rows = util::sample_rows(170, 40, 2);
    std::vector<std::size_t> others;
    for (std::size_t r = 0; r < 170; ++r) {
      if (std::ranges::find(rows, r) == rows.end()) others.push_back(r);
    }
    ASSERT_EQ(others.size(), 130u);
    EvaluateOptions own;
    own.donors = Donors::disjoint;
    own.flipping.samples = 20;
    own.flipping.seed = 2;
    // The fixed choice is the one for these rows.
    const Model checked = with_training_data(model, background);
    const auto candidates = view_candidates(checked, View::model);
    const Evaluation expected = evaluate(model, gather_rows(background, rows),
                                         gather_rows(background, others), candidates, own);
    ASSERT_EQ(choice.evaluation.names, expected.names);
    for (std::size_t m = 0; m < expected.names.size(); ++m) {
      EXPECT_EQ(choice.evaluation.results[m].curves, expected.results[m].curves);
      EXPECT_EQ(choice.evaluation.results[m].rows, rows);
    }
    const std::size_t winner = winner_beside(0, expected.results);
    EXPECT_EQ(choice.name, candidates[winner].name);
    EXPECT_EQ(choice.measured.method, std::get<Method>(candidates[winner].what));
    EXPECT_EQ(choice.measured.view, View::model);
    EXPECT_EQ(choice.measured.rows, 40u);
    ASSERT_EQ(choice.measured.figures.size(), candidates.size());
    EXPECT_EQ(choice.measured.figures[0].name, choice.name);
    EXPECT_EQ(choice.measured.figures[0].aufc, expected.results[winner].mean);
    EXPECT_TRUE(std::is_sorted(choice.measured.figures.begin() + 1, choice.measured.figures.end(),
                               [](const auto& a, const auto& b) { return a.aufc < b.aufc; }));
    EXPECT_NE(choice.reason.find("measured on 40 rows"), std::string::npos);
  }
}

TEST(Choose, IsTheSameWhateverTheThreads) {
  const Matrix background = two_clouds(150, kFeatures, 4);
  for (const Model& model : models()) {
    ChooseOptions options;
    options.view = View::data;
    options.explain.threads = 1;
    const Choice one = choose(model, background, options);
    options.explain.threads = 3;
    const Choice three = choose(model, background, options);
    EXPECT_EQ(one.measured, three.measured);
    EXPECT_EQ(one.reason, three.reason);
    for (std::size_t m = 0; m < one.evaluation.names.size(); ++m)
      EXPECT_EQ(one.evaluation.results[m].aufc, three.evaluation.results[m].aufc);
  }
}

// What was measured before is no fixed choice: measuring again gives the same.
TEST(Choose, IgnoresWhatWasMeasuredBefore) {
  const Matrix background = two_clouds(150, kFeatures, 4);
  for (const Model& model : models()) {
    const Choice first = choose(model, background);
    MeasuredMethod other = first.measured;
    other.method = EtaRule{.eta = 0.123};
    const Choice again = choose(model.with_measured(other), background);
    EXPECT_EQ(again.measured, first.measured);
    EXPECT_EQ(Explainer(model.with_measured(first.measured), Auto{}, in_g()).method(),
              first.measured.method);
  }
}

TEST(Choose, RefusesASmallBackground) {
  const Matrix background = two_clouds(139, kFeatures, 4);
  EXPECT_EQ(error_of([&] { choose(models()[0], background); }),
            "the background has 139 rows, expected at least 140: 40 to evaluate, 50 for the "
            "methods, and 50 to impute removed features");
}

}  // namespace
}  // namespace bisector
