#include "core/evaluate/imputation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/random.h"

namespace bisector::linalg {
namespace {

TEST(SoftWeights, AreExponentialsRelativeToTheNearest) {
  Random random(1);
  for (const std::size_t count : {1u, 7u, 24u, 25u, 1000u}) {
    std::vector<double> squared(count);
    for (double& value : squared) value = 100.0 * random.uniform();
    AlignedVector<double> weights;
    const WeightSum found = soft_weights(squared, 0.3, weights);
    const double nearest = *std::min_element(squared.begin(), squared.end());
    EXPECT_EQ(found.nearest, nearest);
    double sum = 0.0;
    for (std::size_t n = 0; n < count; ++n) {
      const double expected = std::exp(-0.3 * (squared[n] - nearest));
      EXPECT_NEAR(weights[n], expected, 1e-14 * expected);
      sum += expected;
    }
    for (std::size_t n = count; n < weights.size(); ++n) EXPECT_EQ(weights[n], 0.0);
    EXPECT_NEAR(found.sum, sum, 1e-12 * sum);
    EXPECT_NEAR(found.log_sum(0.3), std::log(sum) - 0.3 * nearest, 1e-12);
  }
}

TEST(SoftWeights, SurviveExtremes) {
  const std::vector<double> squared{1e200, 4e200, 1e200};
  AlignedVector<double> weights;
  const WeightSum found = soft_weights(squared, 1e150, weights);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_EQ(weights[1], 0.0);
  EXPECT_EQ(found.sum, 2.0);
}

}  // namespace
}  // namespace bisector::linalg
