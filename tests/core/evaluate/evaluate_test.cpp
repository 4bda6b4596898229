#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "core/evaluate/testing_data.h"
#include "reference/error_of.h"
#include "reference/in_g.h"

namespace bisector {
namespace {

constexpr std::size_t kFeatures = 6;

/// Two clouds and a machine with their points, coefficients +1 and -1.
KernelMachine machine(double intercept = 0.1) {
  Matrix points = two_clouds(30, kFeatures, 1);
  std::vector<double> coefficients(30);
  for (std::size_t n = 0; n < 30; ++n) coefficients[n] = n % 2 == 0 ? 1.0 : -1.0;
  return KernelMachine(std::move(points), std::move(coefficients), Kernel(0.1), intercept);
}

KernelClassifier classifier() { return KernelClassifier::two_class(machine(), "up", "down"); }

AffineMap stretching() {
  return AffineMap({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2.0, 0.5, 4.0, 1.0, 0.25, 8.0});
}

/// Rows that `stretching` maps to `rows`; every scale is a power of two and every shift small, so
/// that the inverse is exact up to the last bits.
Matrix unstretched(const Matrix& rows) {
  const AffineMap map = stretching();
  Matrix result = rows;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      result(r, d) = rows(r, d) / map.scale()[d] + map.shift()[d];
  }
  return result;
}

Candidate named(const std::string& name, std::uint64_t seed = 0) {
  return candidates_from_names({&name, 1}, {}, seed).front();
}

/// As it was before there were halves.
EvaluateOptions same_donors() {
  EvaluateOptions options;
  options.donors = Donors::same;
  return options;
}

std::vector<Candidate> given(const std::vector<Matrix>& relevance) {
  std::vector<Candidate> candidates;
  for (const Matrix& matrix : relevance) candidates.push_back({"given", GivenRelevance{matrix}});
  return candidates;
}

TEST(Evaluate, RemovesFeaturesInTheModelsSpace) {
  const Matrix rows = two_clouds(20, kFeatures, 2), background = two_clouds(100, kFeatures, 3);
  const std::vector<Matrix> relevance{normal_rows(20, kFeatures, 4)};
  const auto plain = evaluate(Model(classifier()), rows.view(), background.view(), given(relevance),
                              same_donors());
  const auto mapped = evaluate(Model(classifier(), stretching()), unstretched(rows).view(),
                               unstretched(background).view(), given(relevance), same_donors());
  EXPECT_NEAR(plain.bandwidth, mapped.bandwidth, 1e-12);
  EXPECT_EQ(plain.results[0].curves, mapped.results[0].curves);
  EXPECT_EQ(plain.background, 100u);

  const DensityEstimate density(background.view());
  EXPECT_EQ(plain.bandwidth, density.bandwidth());
  const auto direct = pixel_flipping(
      density, rows.view(), relevance,
      [](MatrixView<const double> batch) { return predict(Model(classifier()), batch).classes; });
  EXPECT_EQ(plain.results[0].curves, direct[0].curves);
}

TEST(Evaluate, PrefersTheExplanationToItsOpposite) {
  const Matrix points = two_clouds(60, kFeatures, 5);
  std::vector<std::size_t> classes(60);
  for (std::size_t n = 0; n < 60; ++n) classes[n] = n % 2;
  const Matrix rows = two_clouds(40, kFeatures, 6);
  for (const Model& model :
       {Model(classifier()), Model(NeighborModel(points, classes, {"down", "up"}, 5))}) {
    Explanation explanation = explain(model, rows.view(), EtaRule{}, in_g());
    orient_to_prediction(explanation);
    const Matrix& relevance = explanation.relevance;
    Matrix opposite = relevance;
    for (std::size_t r = 0; r < opposite.rows(); ++r) {
      for (double& value : opposite.row(r)) value = -value;
    }
    const auto results =
        evaluate(model, rows.view(), points.view(), given({relevance, opposite})).results;
    EXPECT_LT(results[0].mean, results[1].mean);
  }
}

TEST(Evaluate, RegressorsAreAboveOrBelowTheirLevel) {
  const Matrix rows = two_clouds(15, kFeatures, 7), background = two_clouds(80, kFeatures, 8);
  const auto relevance = given({normal_rows(15, kFeatures, 9)});
  EvaluateOptions options;
  options.explain.level = 0.6;
  const auto by_level = evaluate(Model(KernelRegressor{machine(), std::nullopt}), rows.view(),
                                 background.view(), relevance, options);
  const auto by_class =
      evaluate(Model(KernelClassifier::two_class(machine(0.1 - 0.6), "above", "below")),
               rows.view(), background.view(), relevance);
  EXPECT_EQ(by_level.results[0].curves, by_class.results[0].curves);
  EXPECT_THROW(evaluate(Model(classifier()), rows.view(), background.view(), relevance, options),
               InvalidInput);
}

// Behind a matrix features are removed in the space of the inputs, divided by their deviations.
TEST(Evaluate, RemovesInputsWherePreprocessingMixesThem) {
  Matrix rotation(kFeatures, kFeatures);
  for (std::size_t d = 0; d < kFeatures; ++d) rotation(d, (d + 1) % kFeatures) = 1.0;
  const AffineMap stretch = stretching();
  const Model model(classifier(), AffineMap(stretch.shift(), stretch.scale(), rotation));
  const Matrix rows = two_clouds(15, kFeatures, 10), background = two_clouds(60, kFeatures, 11);
  const std::vector<Matrix> relevance{normal_rows(15, kFeatures, 12)};
  const auto found = evaluate(model, rows, background, given(relevance));

  std::vector<double> deviation(kFeatures, 0.0);
  for (std::size_t d = 0; d < kFeatures; ++d) {
    double mean = 0.0;
    for (std::size_t n = 0; n < 60; ++n) mean += background(n, d) / 60.0;
    for (std::size_t n = 0; n < 60; ++n)
      deviation[d] += std::pow(background(n, d) - mean, 2) / 60.0;
    deviation[d] = std::sqrt(deviation[d]);
  }
  const auto times = [&](MatrixView<const double> data, int power) {
    Matrix result(data.rows(), kFeatures);
    for (std::size_t r = 0; r < data.rows(); ++r) {
      for (std::size_t d = 0; d < kFeatures; ++d)
        result(r, d) = data(r, d) * std::pow(deviation[d], power);
    }
    return result;
  };
  const auto direct = pixel_flipping(
      DensityEstimate(times(background, -1)), times(rows, -1), relevance,
      [&](MatrixView<const double> batch) { return predict(model, times(batch, 1)).classes; });
  for (std::size_t r = 0; r < 15; ++r)
    EXPECT_NEAR(found.results[0].aufc[r], direct[0].aufc[r], 1e-12);
}

// evaluate() gives what its steps give one by one.
TEST(Evaluate, ExplainsTheDrawnRowsAndOrientsThem) {
  const Model model(classifier());
  const Matrix rows = two_clouds(30, kFeatures, 2), background = two_clouds(60, kFeatures, 3);
  EvaluateOptions options;
  options.flipping.rows = 12;
  options.flipping.seed = 5;
  options.flipping.samples = 10;
  options.explain.reference = {Reference::Kind::mean, {}};
  const std::vector<Candidate> candidates{{"a rule", EtaRule{.eta = 0.2}}, named("shapley", 5)};
  const Evaluation found = evaluate(model, rows, background, candidates, options);
  EXPECT_EQ(found.names, (std::vector<std::string>{"a rule", "shapley"}));
  const auto chosen = rows_to_evaluate(30, options.flipping);
  const Matrix own = gather_rows(rows, chosen);
  std::vector<Matrix> relevance;
  for (const Method& method : {Method(EtaRule{.eta = 0.2}), Method(SampledShapley{.seed = 5})}) {
    Explanation e = explain(model, own, method, options.explain);
    orient_to_prediction(e);
    relevance.push_back(e.relevance);
  }
  const auto expected = pixel_flipping(
      DensityEstimate(background.view()), own, relevance,
      [&](MatrixView<const double> batch) { return predict(model, batch).classes; },
      options.flipping);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(found.results[m].curves, expected[m].curves);
    EXPECT_EQ(found.results[m].rows, chosen);
  }
  const std::vector<Candidate> other{{"another rule", EtaRule{.eta = 1.0}}};
  EXPECT_NE(found.results[0].curves,
            evaluate(model, rows, background, other, options).results[0].curves);
}

TEST(Evaluate, OrientsRelevanceTowardAFixedClass) {
  const Matrix rows = two_clouds(20, kFeatures, 2), background = two_clouds(60, kFeatures, 3);
  for (const Model& model : {Model(classifier()), Model(KernelRegressor{machine(), 0.05})}) {
    const std::vector<Candidate> candidates{
        named("lrp"),
        {"fixed", GivenRelevance{explain(model, rows, EtaRule{}, in_g()).relevance, false}},
        {"wrong", GivenRelevance{explain(model, rows, EtaRule{}, in_g()).relevance, true}}};
    const auto results = evaluate(model, rows, background, candidates).results;
    EXPECT_EQ(results[0].curves, results[1].curves);
    EXPECT_NE(results[0].curves, results[2].curves);
  }
}

TEST(Evaluate, RefusesAThirdClassAndOtherNumbersOfRows) {
  const Matrix points = two_clouds(60, kFeatures, 5);
  std::vector<std::size_t> classes(60);
  for (std::size_t n = 0; n < 60; ++n) classes[n] = n % 3;
  const Model model(NeighborModel(points, classes, {"a", "b", "c"}, 1));
  EvaluateOptions options;
  options.explain.positive_class = "a";
  options.explain.versus = "b";
  EXPECT_NE(error_of([&] {
              evaluate(model, points, points, default_candidates(model), options);
            }).find("row 3 is predicted as a third class"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              evaluate(model, points, points, given({Matrix(59, kFeatures)}));
            }).find("given has 59 rows, expected 60"),
            std::string::npos);
}

TEST(Candidates, AreTheMethodsThatFitTheModelAndChance) {
  const auto names = [](const Model& model) {
    std::vector<std::string> found;
    for (const Candidate& candidate : default_candidates(model, {}, 3)) {
      found.push_back(candidate.name);
      const auto* random = std::get_if<RandomOrder>(&candidate.what);
      EXPECT_TRUE(!random || random->seed == 3);
    }
    return found;
  };
  EXPECT_EQ(
      names(Model(classifier())),
      (std::vector<std::string>{"auto", "lrp", "lrp-path", "lrp-expected", "neighborhood", "gi",
                                "ig", "sensitivity", "occlusion", "shapley", "random"}));
  EXPECT_EQ(names(Model(CentroidModel(two_clouds(2, kFeatures, 1), {"a", "b"}))),
            (std::vector<std::string>{"auto", "lrp", "lrp-path", "lrp-expected", "neighborhood",
                                      "occlusion", "shapley", "random"}));
  EXPECT_EQ(
      error_of([] { named("magic"); }),
      "no method \"magic\", expected auto, lrp, lrp-path, lrp-expected, neighborhood, gi, ig, "
      "sensitivity, occlusion, shapley, shapley-exact, random");
}

TEST(Candidates, TakeTheParametersThatTheyHave) {
  const std::vector<std::string> names{"lrp", "gi", "lrp-path", "random", "shapley"};
  MethodParameters parameters{{"eta", 0.3}, {"on", ExplainedOutput::g}};
  const auto found = candidates_from_names(names, parameters, 8);
  ASSERT_EQ(found.size(), names.size());
  for (std::size_t m = 0; m < names.size(); ++m) EXPECT_EQ(found[m].name, names[m]);
  EXPECT_EQ(std::get<Method>(found[0].what), Method(EtaRule{.eta = 0.3}));
  EXPECT_EQ(std::get<Method>(found[1].what), Method(GradientTimesInput{ExplainedOutput::g}));
  EXPECT_EQ(std::get<Method>(found[2].what), Method(PathRule{.eta = 0.3}));
  EXPECT_EQ(std::get<RandomOrder>(found[3].what).seed, 8u);
  EXPECT_EQ(std::get<Method>(found[4].what),
            Method(SampledShapley{.seed = 8, .output = ExplainedOutput::g}));

  parameters.emplace("steps", 3);
  EXPECT_EQ(error_of([&] { candidates_from_names(names, parameters); }),
            "steps is a parameter of ig, not of lrp, gi, lrp-path, shapley");
  EXPECT_EQ(error_of([&] { candidates_from_names({}, parameters); }),
            "eta is a parameter of lrp, lrp-path and lrp-expected, and no method is given");
}

}  // namespace
}  // namespace bisector
