#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/explain/any_function.h"
#include "reference/plain_machines.h"
#include "reference/subset_shapley.h"

namespace bisector {
namespace {

constexpr std::size_t kFeatures = 5;
const Vector kReference = {0.3, -0.2, 0.0, 1.0, -0.7};

Matrix some_rows(std::size_t count, std::size_t features = kFeatures) {
  Random random(21);
  return reference::normal_matrix(random, count, features);
}

TEST(SampledShapley, WalksTheOrdersOfEveryRow) {
  const Matrix rows = some_rows(130);
  const SampledShapley options{7, 99};
  const Matrix relevance = sampled_shapley(batched(wavy), rows, kReference, options, 40);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector expected = reference::sampled_shapley(wavy, reference::to_vector(rows.row(r)),
                                                       kReference, 7, 99, 40 + r);
    for (std::size_t d = 0; d < kFeatures; ++d)
      ASSERT_NEAR(relevance(r, d), expected[d], 1e-12) << "row " << r << ", feature " << d;
  }
}

// The mean of N independent orders lies within five standard errors; the standard deviation of one
// order is known exactly from all subsets.
TEST(SampledShapley, ConvergesToTheValuesOverAllSubsets) {
  const Matrix row = some_rows(1);
  const auto exact = reference::subset_shapley(wavy, reference::to_vector(row.row(0)), kReference);
  for (const std::size_t sequences : {10, 100, 1000, 10000}) {
    const Matrix relevance = sampled_shapley(batched(wavy), row, kReference, {sequences, 5});
    for (std::size_t d = 0; d < kFeatures; ++d)
      EXPECT_NEAR(relevance(0, d), exact.value[d],
                  5.0 * exact.deviation[d] / std::sqrt(static_cast<double>(sequences)) + 1e-12)
          << sequences << " sequences, feature " << d;
  }
}

TEST(SampledShapley, SumsToTheDifferenceOfFForAnyNumberOfSequences) {
  const Matrix rows = some_rows(50);
  for (const std::size_t sequences : {1, 2, 10}) {
    const Matrix relevance = sampled_shapley(batched(wavy), rows, kReference, {sequences, 1});
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const auto values = relevance.row(r);
      EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0),
                  wavy(reference::to_vector(rows.row(r))) - wavy(kReference), 1e-12);
    }
  }
}

TEST(SampledShapley, IsTheSameForAnyCutOfTheRows) {
  const Matrix rows = some_rows(300);
  const Matrix whole = sampled_shapley(batched(wavy), rows, kReference, {}, 17);
  for (const std::size_t cut : {1, 113, 299}) {
    const auto first = rows.view().rows(0, cut), second = rows.view().rows(cut, 300 - cut);
    const Matrix head = sampled_shapley(batched(wavy), first, kReference, {}, 17);
    const Matrix tail = sampled_shapley(batched(wavy), second, kReference, {}, 17 + cut);
    for (std::size_t r = 0; r < 300; ++r) {
      for (std::size_t d = 0; d < kFeatures; ++d)
        ASSERT_EQ(whole(r, d), r < cut ? head(r, d) : tail(r - cut, d));
    }
  }
}

TEST(SampledShapley, AnotherSeedDrawsOtherOrders) {
  const Matrix rows = some_rows(3);
  EXPECT_EQ(sampled_shapley(batched(wavy), rows, kReference, {2, 1}),
            sampled_shapley(batched(wavy), rows, kReference, {2, 1}));
  EXPECT_NE(sampled_shapley(batched(wavy), rows, kReference, {2, 1}),
            sampled_shapley(batched(wavy), rows, kReference, {2, 2}));
}

TEST(SampledShapley, OfThousandsOfFeaturesHoldsABatchOnly) {
  constexpr std::size_t features = 3000;
  Calls calls;
  const Matrix relevance =
      sampled_shapley(batched([](const Vector& x) { return 3.0 * x[7] - x[2999]; }, &calls),
                      Matrix(2, features, 1.0), Vector(features, 0.0), {2, 0});
  EXPECT_EQ(relevance(1, 7), 3.0);
  EXPECT_EQ(relevance(0, 2999), -1.0);
  EXPECT_EQ(relevance(0, 0), 0.0);
  EXPECT_LE(calls.largest_batch * features * sizeof(double), 17u << 20);
  EXPECT_EQ(calls.rows, 2 * 2 * (features - 1) + 3);
}

TEST(SampledShapley, OfOneFeatureIsTheDifferenceOfF) {
  const Matrix rows = some_rows(4, 1);
  const Matrix relevance = sampled_shapley(batched(wavy), rows, Vector{0.5});
  for (std::size_t r = 0; r < 4; ++r)
    EXPECT_DOUBLE_EQ(relevance(r, 0), wavy({rows(r, 0)}) - wavy({0.5}));
}

TEST(SampledShapley, RefusesNoSequencesAndWrongNumbers) {
  const Matrix rows = some_rows(4);
  EXPECT_THROW(sampled_shapley(batched(wavy), rows, kReference, {0, 0}), InvalidInput);
  const std::vector<std::size_t> three = {1, 2, 3};
  EXPECT_THROW(sampled_shapley(batched(wavy), rows, kReference, {}, three), InvalidInput);
}

}  // namespace
}  // namespace bisector
