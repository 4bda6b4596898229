// Sparse rows may have more features than a model: zero columns leave its decisions alone where the
// rows have zeros, and count the distance where they have not.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/model.h"
#include "bisector/predict.h"

namespace bisector {
namespace {

const Matrix kThreePoints(3, 2, {1.0, 0.5, -1.0, 0.25, 0.0, 2.0});

std::vector<Model> models_of_every_kind() {
  const KernelMachine machine(kThreePoints, {1.0, -2.0, 0.5}, Kernel(0.5), 0.1);
  return {Model(KernelClassifier::two_class(machine, "1", "-1"), {}, {}, 1.25),
          Model(KernelRegressor{machine, 0.5}), Model(OneClassMachine{machine}),
          Model(NeighborModel(kThreePoints, {0, 1, 1}, {"a", "b"}, 1)),
          Model(CentroidModel(kThreePoints, {"a", "b", "c"}))};
}

TEST(PadFeatures, DecidesTheSameWhereTheNewFeaturesAreZero) {
  const Matrix narrow(2, 2, {0.3, 0.4, -2.0, 1.0});
  const Matrix wide(2, 4, {0.3, 0.4, 0.0, 0.0, -2.0, 1.0, 0.0, 0.0});
  for (const Model& model : models_of_every_kind()) {
    const Model padded = pad_features(model, 4);
    EXPECT_EQ(padded.features(), 4u);
    EXPECT_EQ(padded.median_distance(), model.median_distance());
    EXPECT_EQ(padded.labels(), model.labels());
    const Predictions expected = predict(model, narrow), actual = predict(padded, wide);
    EXPECT_EQ(actual.classes, expected.classes);
    for (std::size_t i = 0; i < expected.decisions.values().size(); ++i)
      EXPECT_NEAR(actual.decisions.values()[i], expected.decisions.values()[i], 1e-12);
  }
}

TEST(PadFeatures, CountsTheDistanceAlongTheNewFeatures) {
  const Model model(
      KernelRegressor{KernelMachine(Matrix(1, 1, {1.0}), {1.0}, Kernel(0.5), 0.0), {}});
  const Predictions result = predict(pad_features(model, 2), Matrix(1, 2, {1.0, 2.0}));
  EXPECT_NEAR(result.decisions(0, 0), std::exp(-0.5 * 4.0), 1e-12);
}

TEST(PadFeatures, RefusesNamesPreprocessingAndFewerFeatures) {
  const KernelRegressor regressor{KernelMachine(kThreePoints, {1.0, 1.0, 1.0}, Kernel(0.5), 0.0),
                                  {}};
  EXPECT_THROW(pad_features(Model(regressor, {}, {"a", "b"}), 3), InvalidInput);
  EXPECT_THROW(pad_features(Model(regressor, AffineMap({0.0, 0.0}, {1.0, 2.0})), 3), InvalidInput);
  EXPECT_THROW(pad_features(Model(regressor), 1), InvalidInput);
  EXPECT_EQ(pad_features(Model(regressor), 2), Model(regressor));
}

TEST(PadFeatures, ARowsLargestIndexCannotAskForAnyMemory) {
  const Model model(
      KernelRegressor{KernelMachine(kThreePoints, {1.0, 1.0, 1.0}, Kernel(0.5), 0.0), {}});
  EXPECT_THROW(pad_features(model, 10'000'000), InvalidInput);
  EXPECT_THROW(pad_features(model, 100, {.max_elements = 300}), InvalidInput);
  EXPECT_EQ(pad_features(model, 100, {.max_elements = 301}).features(), 100u);
}

}  // namespace
}  // namespace bisector
