#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/explain.h"

namespace bisector {
namespace {

TEST(ForPredicted, TurnsTheSignWhereTheNegativeClassWins) {
  Explanation explanation;
  explanation.relevance = Matrix(2, 2, {1.0, -2.0, 3.0, -4.0});
  explanation.g = {0.5, -0.5};
  explanation.prediction = {7, 4};
  explanation.positive = {7, 7};
  explanation.negative = {4, 4};
  EXPECT_EQ(for_predicted(explanation), Matrix(2, 2, {1.0, -2.0, -3.0, 4.0}));
}

TEST(ForPredicted, RegressorsGoByTheSideOfTheLevel) {
  Explanation explanation;
  explanation.relevance = Matrix(2, 1, {1.0, 3.0});
  explanation.g = {0.5, -0.5};
  explanation.value = {2.0, 1.0};
  EXPECT_EQ(for_predicted(explanation), Matrix(2, 1, {1.0, -3.0}));
}

TEST(ForPredicted, RefusesAThirdClass) {
  Explanation explanation;
  explanation.relevance = Matrix(1, 1, {1.0});
  explanation.g = {0.5};
  explanation.prediction = {2};
  explanation.positive = {0};
  explanation.negative = {1};
  EXPECT_THROW(for_predicted(explanation), InvalidInput);
}

}  // namespace
}  // namespace bisector
