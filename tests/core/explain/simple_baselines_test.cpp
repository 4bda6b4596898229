// Gradient x input, integrated gradients, sensitivity and occlusion against their definitions.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/explain/any_function.h"
#include "reference/plain_machines.h"
#include "reference/sum.h"

namespace bisector {
namespace {

constexpr std::size_t kColumns = 5;
const Vector kReferencePoint = {0.3, -0.2, 0.0, 1.0, -0.7};

/// More rows than a batch has, so that batches end inside the data.
Matrix many_rows() {
  Random random(11);
  return reference::normal_matrix(random, 5000, kColumns);
}

template <class Definition>
void expect_rows(const Matrix& actual, const Matrix& rows, const Definition& definition) {
  ASSERT_EQ(actual.rows(), rows.rows());
  ASSERT_EQ(actual.cols(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector expected = definition(reference::to_vector(rows.row(r)));
    for (std::size_t d = 0; d < expected.size(); ++d)
      ASSERT_NEAR(actual(r, d), expected[d], 1e-12) << "row " << r << ", feature " << d;
  }
}

TEST(GradientTimesInput, IsItsDefinition) {
  const Matrix rows = many_rows();
  expect_rows(gradient_times_input(batched_gradient(wavy_gradient), rows, kReferencePoint), rows,
              [](const Vector& x) {
                return reference::gradient_times_input(wavy_gradient, x, kReferencePoint);
              });
}

TEST(IntegratedGradients, IsItsDefinition) {
  const Matrix rows = many_rows();
  for (const std::size_t steps : {1, 3, 10})
    expect_rows(integrated_gradients(batched_gradient(wavy_gradient), rows, kReferencePoint, steps),
                rows, [&](const Vector& x) {
                  return reference::integrated_gradients(wavy_gradient, x, kReferencePoint, steps);
                });
}

// Completeness: the midpoint rule's error falls with the square of the number of steps.
TEST(IntegratedGradients, SumsToTheDifferenceOfFAsTheStepsGrow) {
  Random random(2);
  const Matrix row = reference::normal_matrix(random, 1, kColumns);
  const double exact = wavy(reference::to_vector(row.row(0))) - wavy(kReferencePoint);
  const auto error = [&](std::size_t steps) {
    return std::abs(
        sum(integrated_gradients(batched_gradient(wavy_gradient), row, kReferencePoint, steps)
                .row(0)) -
        exact);
  };
  EXPECT_LT(error(40), error(10) / 12.0);
  EXPECT_LT(error(160), error(40) / 12.0);
  EXPECT_LT(error(2000), 1e-6);
}

TEST(IntegratedGradients, OfOneRowComesInOneBatch) {
  Calls calls;
  integrated_gradients(batched_gradient(wavy_gradient, &calls), Matrix(1, kColumns, 1.0),
                       kReferencePoint, 50);
  EXPECT_EQ(calls.rows, 50u);
  EXPECT_EQ(calls.count, 1u);
}

TEST(Sensitivity, IsTheSquaredGradientWithTheSignOfF) {
  const Matrix rows = many_rows();
  const Matrix relevance = sensitivity(batched(wavy), batched_gradient(wavy_gradient), rows);
  expect_rows(relevance, rows,
              [](const Vector& x) { return reference::sensitivity(wavy, wavy_gradient, x); });
}

TEST(Occlusion, IsItsDefinition) {
  const Matrix rows = many_rows();
  expect_rows(occlusion(batched(wavy), rows, kReferencePoint), rows,
              [](const Vector& x) { return reference::occlusion(wavy, x, kReferencePoint); });
}

TEST(Occlusion, OfAFeatureAtItsReferenceIsZero) {
  Matrix row(1, kColumns, 2.0);
  row(0, 3) = kReferencePoint[3];
  EXPECT_EQ(occlusion(batched(wavy), row, kReferencePoint)(0, 3), 0.0);
}

TEST(Occlusion, OfThousandsOfFeaturesHoldsABatchOnly) {
  constexpr std::size_t features = 5000;
  Calls calls;
  const Vector reference(features, 0.0);
  const Matrix relevance =
      occlusion(batched([](const Vector& x) { return x[0] + 2.0 * x[features - 1]; }, &calls),
                Matrix(2, features, 1.0), reference);
  EXPECT_EQ(relevance(1, features - 1), 2.0);
  EXPECT_EQ(calls.rows, 2 * features + 2);
  EXPECT_LE(calls.largest_batch * features * sizeof(double), 17u << 20);
}

TEST(Baselines, RefuseAReferenceOfAnotherLength) {
  const Matrix rows(2, kColumns, 1.0);
  const Vector shorter(kColumns - 1, 0.0);
  EXPECT_THROW(occlusion(batched(wavy), rows, shorter), InvalidInput);
  EXPECT_THROW(gradient_times_input(batched_gradient(wavy_gradient), rows, shorter), InvalidInput);
  EXPECT_THROW(sampled_shapley(batched(wavy), rows, shorter), InvalidInput);
  EXPECT_THROW(integrated_gradients(batched_gradient(wavy_gradient), rows, kReferencePoint, 0),
               InvalidInput);
}

TEST(Baselines, OfNoRowsAreNoRows) {
  const Matrix none(0, kColumns);
  EXPECT_EQ(occlusion(batched(wavy), none, kReferencePoint).rows(), 0u);
  EXPECT_EQ(sampled_shapley(batched(wavy), none, kReferencePoint).rows(), 0u);
  EXPECT_EQ(sensitivity(batched(wavy), batched_gradient(wavy_gradient), none).rows(), 0u);
}

}  // namespace
}  // namespace bisector
