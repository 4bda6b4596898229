#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "core/evaluate/testing_data.h"

namespace bisector {
namespace {

constexpr std::size_t kFeatures = 6;

/// Two clouds and a machine with their points, coefficients +1 and -1.
KernelMachine machine(double intercept = 0.1) {
  Matrix points = two_clouds(30, kFeatures, 1);
  std::vector<double> coefficients(30);
  for (std::size_t n = 0; n < 30; ++n) coefficients[n] = n % 2 == 0 ? 1.0 : -1.0;
  return KernelMachine(std::move(points), std::move(coefficients), 0.1, intercept);
}

KernelClassifier classifier() { return KernelClassifier::two_class(machine(), "up", "down"); }

AffineMap stretching() {
  return AffineMap({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2.0, 0.5, 4.0, 1.0, 0.25, 8.0});
}

/// Rows that `stretching` maps to `rows`; every scale is a power of two and every shift small, so
/// that the way back is exact up to the last bits.
Matrix unstretched(const Matrix& rows) {
  const AffineMap map = stretching();
  Matrix result = rows;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      result(r, d) = rows(r, d) / map.scale()[d] + map.shift()[d];
  }
  return result;
}

TEST(EvaluateModel, RemovesFeaturesInTheModelsSpace) {
  const Matrix rows = two_clouds(20, kFeatures, 2), background = two_clouds(100, kFeatures, 3);
  const std::vector<Matrix> relevance{normal_rows(20, kFeatures, 4)};
  const auto plain = evaluate_model(Model(classifier()), rows.view(), background.view(), relevance);
  const auto mapped = evaluate_model(Model(classifier(), stretching()), unstretched(rows).view(),
                                     unstretched(background).view(), relevance);
  EXPECT_NEAR(plain.bandwidth, mapped.bandwidth, 1e-12);
  EXPECT_EQ(plain.results[0].curves, mapped.results[0].curves);
  EXPECT_EQ(plain.background, 100u);

  const DensityEstimate density(background.view());
  EXPECT_EQ(plain.bandwidth, density.bandwidth());
  const auto direct = flip_features(
      density, rows.view(), relevance,
      [](MatrixView<const double> batch) { return predict(Model(classifier()), batch).classes; });
  EXPECT_EQ(plain.results[0].curves, direct[0].curves);
}

TEST(EvaluateModel, PrefersTheExplanationToItsOpposite) {
  const Matrix points = two_clouds(60, kFeatures, 5);
  std::vector<std::size_t> classes(60);
  for (std::size_t n = 0; n < 60; ++n) classes[n] = n % 2;
  const Matrix rows = two_clouds(40, kFeatures, 6);
  for (const Model& model :
       {Model(classifier()), Model(NeighborModel(points, classes, {"down", "up"}, 5))}) {
    const Matrix relevance = for_predicted(explain(model, rows.view()));
    Matrix opposite = relevance;
    for (std::size_t r = 0; r < opposite.rows(); ++r) {
      for (double& value : opposite.row(r)) value = -value;
    }
    const std::vector<Matrix> both{relevance, opposite};
    const auto results = evaluate_model(model, rows.view(), points.view(), both).results;
    EXPECT_LT(results[0].mean, results[1].mean);
  }
}

TEST(EvaluateModel, RegressorsAreAboveOrBelowTheirLevel) {
  const Matrix rows = two_clouds(15, kFeatures, 7), background = two_clouds(80, kFeatures, 8);
  const std::vector<Matrix> relevance{normal_rows(15, kFeatures, 9)};
  EvaluateOptions options;
  options.level = 0.6;
  const auto by_level = evaluate_model(Model(KernelRegressor{machine(), std::nullopt}), rows.view(),
                                       background.view(), relevance, options);
  const auto by_class =
      evaluate_model(Model(KernelClassifier::two_class(machine(0.1 - 0.6), "above", "below")),
                     rows.view(), background.view(), relevance);
  EXPECT_EQ(by_level.results[0].curves, by_class.results[0].curves);
  EXPECT_THROW(
      evaluate_model(Model(classifier()), rows.view(), background.view(), relevance, options),
      InvalidInput);
}

TEST(EvaluateModel, RefusesPreprocessingThatMixesFeatures) {
  Matrix rotation(kFeatures, kFeatures);
  for (std::size_t d = 0; d < kFeatures; ++d) rotation(d, (d + 1) % kFeatures) = 1.0;
  const Model model(classifier(), AffineMap(std::vector<double>(kFeatures, 0.0),
                                            std::vector<double>(kFeatures, 1.0), rotation));
  const Matrix rows = two_clouds(5, kFeatures, 10);
  const std::vector<Matrix> relevance{normal_rows(5, kFeatures, 11)};
  EXPECT_THROW(evaluate_model(model, rows.view(), rows.view(), relevance), InvalidInput);
}

}  // namespace
}  // namespace bisector
