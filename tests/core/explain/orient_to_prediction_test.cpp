#include <gtest/gtest.h>

#include <cmath>

#include "bisector/explain.h"

namespace bisector {
namespace {

Explanation three_rows() {
  Explanation e;
  e.relevance = Matrix(3, 2, {1.0, -2.0, 3.0, 0.0, 5.0, 6.0});
  e.g = {0.5, -0.25, 1.0};
  e.decision = {1.0, -2.0, 3.0};
  e.prediction = {0, 1, 2};
  e.positive = {0, 0, 0};
  e.negative = {1, 1, 1};
  e.tie = {false, false, false};
  e.output = {0.1, 3.4, 14.3};
  e.base = {0.1, 0.2, 0.3};
  e.remainder = {1.0, 2.0, 3.0};
  e.correction = {0.0, 0.5, 0.0};
  e.stretch = {2.0, 4.0, 1.0};
  return e;
}

TEST(OrientToPrediction, TurnsTheRowsWhoseNegativeClassIsPredicted) {
  const Explanation before = three_rows();
  Explanation after = before;
  EXPECT_EQ(orient_to_prediction(after), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(after.relevance, Matrix(3, 2, {1.0, -2.0, -3.0, 0.0, 5.0, 6.0}));
  EXPECT_FALSE(std::signbit(after.relevance(1, 1)));  // no -0
  EXPECT_EQ(after.g, (std::vector<double>{0.5, 0.25, 1.0}));
  EXPECT_EQ(after.decision, (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(after.output, (std::vector<double>{0.1, -3.4, 14.3}));
  EXPECT_EQ(after.base, (std::vector<double>{0.1, -0.2, 0.3}));
  EXPECT_EQ(after.remainder, (std::vector<double>{1.0, -2.0, 3.0}));
  EXPECT_EQ(after.correction, (std::vector<double>{0.0, -0.5, 0.0}));
  EXPECT_EQ(after.stretch, (std::vector<double>{2.0, 0.25, 1.0}));
  EXPECT_EQ(after.positive, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(after.negative, (std::vector<std::size_t>{1, 0, 1}));
  // Turned once, positive values support the prediction: a second turn changes nothing.
  EXPECT_EQ(orient_to_prediction(after), (std::vector<bool>(3, false)));
}

TEST(OrientToPrediction, RegressorsGoByTheSideOfTheLevel) {
  Explanation e;
  e.relevance = Matrix(3, 1, {1.0, 3.0, 2.0});
  e.g = {0.5, -0.5, 0.0};
  e.decision = {1.0, -1.0, 0.0};
  e.value = {2.0, 1.0, 1.5};
  e.output = e.base = e.remainder = e.correction = {0.0, 0.0, 0.0};
  e.stretch = {1.0, 1.0, 1.0};
  EXPECT_EQ(orient_to_prediction(e), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(e.relevance, Matrix(3, 1, {1.0, -3.0, -2.0}));
  EXPECT_EQ(e.value, (std::vector<double>{2.0, 1.0, 1.5}));
  e.unit = Unit::decision;  // predictions have no side
  EXPECT_EQ(orient_to_prediction(e), (std::vector<bool>(3, false)));
}

TEST(Reverse, ExchangesThePointsOfAPair) {
  Evidence evidence{3, std::nullopt, 0.5, 2.0, {1.0, -1.0}};
  reverse(evidence);
  EXPECT_EQ(evidence.positive, std::nullopt);
  EXPECT_EQ(evidence.negative, PoolMember(3));
  EXPECT_EQ(evidence.weight, 0.5);
  EXPECT_EQ(evidence.activation, -2.0);
  EXPECT_EQ(evidence.relevance, (std::vector<double>{-1.0, 1.0}));
}

}  // namespace
}  // namespace bisector
