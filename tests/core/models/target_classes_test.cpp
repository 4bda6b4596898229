// What a column of targets means to a model, with and without the rule that made its classes.
#include "bisector/target_classes.h"

#include <gtest/gtest.h>

#include "bisector/error.h"

namespace bisector {
namespace {

const Matrix kTwoPoints(2, 1, {1.0, -1.0});

Model model_of(const std::string& first, const std::string& second) {
  return Model(NeighborModel(kTwoPoints, {0, 1}, {first, second}, 1));
}

TEST(TargetClasses, AreFoundByTextAndAsNumbers) {
  const TargetClasses find(model_of("1", "-1"));
  EXPECT_EQ(find("1"), 0u);
  EXPECT_EQ(find(" +1 "), 0u);
  EXPECT_EQ(find("-1.0"), 1u);
  EXPECT_EQ(find("2"), std::nullopt);
  EXPECT_EQ(find("one"), std::nullopt);
}

TEST(TargetClasses, OfAThresholdAreThoseOfTheNumber) {
  const TargetClasses find(model_of("not above", "above").with_target({"quality", 5.0, {}}));
  EXPECT_EQ(find("5"), 0u);
  EXPECT_EQ(find("5.5"), 1u);
  EXPECT_EQ(find("above"), 1u);
  EXPECT_EQ(find("not above"), 0u);
  EXPECT_EQ(find("good"), std::nullopt);
}

TEST(TargetClasses, OfOneAgainstTheRestAreThatAndAllOthers) {
  const TargetClasses find(model_of("not red", "red").with_target({"color", {}, "red"}));
  EXPECT_EQ(find("red"), 1u);
  EXPECT_EQ(find("green"), 0u);
  EXPECT_EQ(find("not red"), 0u);
}

TEST(TargetClasses, NeedClasses) {
  const Model regressor(
      KernelRegressor{KernelMachine(kTwoPoints, {1.0, 1.0}, Kernel(1.0), 0.0), {}});
  EXPECT_THROW(TargetClasses{regressor}, InvalidInput);
}

TEST(LearnedTarget, HasToFitTheModel) {
  const Model model = model_of("a", "b");
  EXPECT_THROW(model.with_target({"x", 1.0, {}}), InvalidModel);
  EXPECT_THROW(model.with_target({"x", {}, "c"}), InvalidModel);
  EXPECT_THROW(model_of("above", "not above").with_target({"x", 1.0, "above"}), InvalidModel);
  EXPECT_THROW(model_of("above", "not above").with_target({"x", 1.0 / 0.0, {}}), InvalidModel);
  EXPECT_EQ(model.with_target({"x", {}, "b"}).target()->positive, "b");
  EXPECT_FALSE(model == model.with_target({"x", {}, {}}));
}

}  // namespace
}  // namespace bisector
