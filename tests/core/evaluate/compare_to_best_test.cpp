#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/evaluate.h"

namespace bisector {
namespace {

TEST(PairedDifference, IsOverTheSameRows) {
  const std::vector<double> a{0.5, 0.25, 0.75}, b{0.25, 0.25, 0.0};
  const PairedDifference found = paired_difference(a, b);  // 0.25, 0, 0.75
  EXPECT_DOUBLE_EQ(found.mean, 1.0 / 3.0);
  const double squares =
      std::pow(0.25 - 1.0 / 3.0, 2) + std::pow(1.0 / 3.0, 2) + std::pow(0.75 - 1.0 / 3.0, 2);
  EXPECT_DOUBLE_EQ(found.standard_error, std::sqrt(squares / 2.0 / 3.0));
  EXPECT_EQ(paired_difference(a, a).standard_error, 0.0);
  EXPECT_TRUE(std::isnan(paired_difference({a.data(), 1}, {b.data(), 1}).standard_error));
  EXPECT_THROW(paired_difference(a, {b.data(), 2}), InvalidInput);
  EXPECT_THROW(paired_difference({}, {}), InvalidInput);
}

TEST(CompareToBest, IsTheLowestMeanAndOfEqualsTheFirst) {
  std::vector<PixelFlippingResult> results(3);
  results[0].aufc = {0.5, 0.5};
  results[1].aufc = {0.25, 0.0};
  results[2].aufc = {0.0, 0.25};
  for (PixelFlippingResult& result : results) result.mean = (result.aufc[0] + result.aufc[1]) / 2.0;
  const Comparison comparison = compare_to_best(results);
  EXPECT_EQ(comparison.best, 1u);
  ASSERT_EQ(comparison.to_best.size(), 3u);
  EXPECT_EQ(comparison.to_best[0].mean, 0.375);
  EXPECT_EQ(comparison.to_best[0].standard_error, 0.125);
  EXPECT_EQ(comparison.to_best[1].mean, 0.0);
  EXPECT_EQ(comparison.to_best[1].standard_error, 0.0);
  EXPECT_EQ(comparison.to_best[2].mean, 0.0);
  EXPECT_EQ(comparison.to_best[2].standard_error, 0.25);
}

}  // namespace
}  // namespace bisector
