#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/evaluate/testing_data.h"
#include "reference/flipping.h"

namespace bisector {
namespace {

using Counts = std::vector<std::size_t>;

/// Three classes by two features, both of which are needed.
std::vector<std::size_t> crooked(MatrixView<const double> rows) {
  std::vector<std::size_t> classes;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double a = rows(r, 0), b = rows(r, rows.cols() - 1);
    classes.push_back(a * b > 0.5 ? 2 : a + std::sin(3.0 * b) > 0.0 ? 1 : 0);
  }
  return classes;
}

/// A linear model that uses feature d with weight `weights[d]`.
BatchClassifier linear(std::vector<double> weights) {
  return [weights](MatrixView<const double> rows) {
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const auto x = rows.row(r);
      classes.push_back(std::inner_product(x.begin(), x.end(), weights.begin(), 0.0) > 0.0);
    }
    return classes;
  };
}

TEST(MeasuredRemovals, AreTheFirstAndEveryFurtherStep) {
  EXPECT_EQ(measured_removals(1), Counts({1}));
  EXPECT_EQ(measured_removals(2), Counts({1, 2}));
  EXPECT_EQ(measured_removals(10), Counts({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(measured_removals(11), Counts({1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(measured_removals(12), Counts({1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(measured_removals(50).size(), 25u);
  EXPECT_EQ(measured_removals(50).back(), 49u);
  EXPECT_EQ(measured_removals(51), Counts({1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51}));
  EXPECT_EQ(measured_removals(784).size(), 157u);
  EXPECT_EQ(measured_removals(784).back(), 781u);
}

TEST(PixelFlipping, MatchesTheDefinition) {
  for (const std::size_t features : {1u, 3u, 11u, 52u}) {
    SCOPED_TRACE(testing::Message() << features << " features");
    const DensityEstimate density(two_clouds(40, features, 1).view());
    const Matrix rows = two_clouds(6, features, 2);
    const std::vector<Matrix> relevance{normal_rows(6, features, 3), normal_rows(6, features, 4)};
    PixelFlippingOptions options;
    options.seed = 5;
    options.samples = 13;
    const auto results = pixel_flipping(density, rows.view(), relevance, crooked, options);
    ASSERT_EQ(results.size(), 2u);
    for (std::size_t method = 0; method < 2; ++method) {
      double total = 0.0;
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        const auto curve = reference::flipping_curve(density, rows.row(r), relevance[method].row(r),
                                                     crooked, r, options.seed, 13);
        const auto found = results[method].curves.row(r);
        ASSERT_EQ(curve.size(), found.size());
        for (std::size_t m = 0; m < curve.size(); ++m) EXPECT_NEAR(found[m], curve[m], 1e-12);
        const double area = reference::area(measured_removals(features), curve);
        EXPECT_NEAR(results[method].aufc[r], area, 1e-12);
        total += area;
      }
      EXPECT_NEAR(results[method].mean, total / 6.0, 1e-12);
    }
  }
}

// Two far-apart points decide everything: with the decisive feature kept, the imputed row comes
// from the row's own point; without it and the others, from either.
TEST(PixelFlipping, KnowsTheCurveOfTwoPoints) {
  Matrix background(4, 3);  // each point twice, so that the bandwidth is as low as it gets
  for (std::size_t r = 0; r < 4; ++r) {
    for (double& value : background.row(r)) value = r < 2 ? 1.0 : -1.0;
  }
  const DensityEstimate density(background.view());
  ASSERT_LT(density.bandwidth(), 0.01);
  const Matrix rows(1, 3, {1.0, 1.0, 1.0});
  const std::vector<Matrix> relevance{Matrix(1, 3, {3.0, 2.0, 1.0}), Matrix(1, 3, {1.0, 2.0, 3.0})};
  PixelFlippingOptions options;
  options.samples = 20000;
  const auto results =
      pixel_flipping(density, rows.view(), relevance, linear({1.0, 0.0, 0.0}), options);
  for (const PixelFlippingResult& result : results) {
    // Any kept feature pins the point to the row's own; removing all frees it: half flips.
    EXPECT_EQ(result.curve_x, std::vector<double>({0.0, 1.0, 2.0, 3.0}));
    EXPECT_EQ(result.curves(0, 0), 1.0);
    EXPECT_EQ(result.curves(0, 1), 1.0);
    EXPECT_EQ(result.curves(0, 2), 1.0);
    EXPECT_NEAR(result.curves(0, 3), 0.0, 0.03);
    EXPECT_NEAR(result.aufc[0], (1.0 + 1.0 + 0.5) / 3.0, 0.01);
    EXPECT_TRUE(std::isnan(result.standard_error));
  }
  // Everything is removed by both: the same rows, drawn by the same numbers.
  EXPECT_EQ(results[0].curves(0, 3), results[1].curves(0, 3));
}

// A row whose two features contradict each other: which point imputes it depends on what is kept.
TEST(PixelFlipping, ImputesFromThePointThatTheKeptFeaturesResemble) {
  Matrix background(4, 2);
  for (std::size_t r = 0; r < 4; ++r) {
    for (double& value : background.row(r)) value = r < 2 ? 1.0 : -1.0;
  }
  const Matrix rows(1, 2, {1.0, -1.0});
  const std::vector<Matrix> relevance{Matrix(1, 2, {1.0, 0.0}), Matrix(1, 2, {0.0, 1.0})};
  const auto results = pixel_flipping(DensityEstimate(background.view()), rows.view(), relevance,
                                      linear({1.0, 0.0}));
  EXPECT_EQ(results[0].curves(0, 1), -1.0);  // feature 2 says: the point (-1, -1)
  EXPECT_EQ(results[1].curves(0, 1), 1.0);   // feature 1 is kept, and decides
}

TEST(PixelFlipping, EqualRelevanceGoesByIndex) {
  const std::size_t features = 7;
  const DensityEstimate density(two_clouds(50, features, 6).view());
  const Matrix rows = two_clouds(5, features, 7);
  Matrix descending(5, features);
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t d = 0; d < features; ++d) descending(r, d) = -static_cast<double>(d);
  }
  const std::vector<Matrix> relevance{Matrix(5, features, 0.25), descending};
  const auto results = pixel_flipping(density, rows.view(), relevance, crooked);
  EXPECT_EQ(results[0].curves, results[1].curves);
}

TEST(PixelFlipping, AGoodExplanationIsBelowAndAnInvertedOneAboveChance) {
  const std::size_t features = 12;
  std::vector<double> weights(features, 0.0);
  weights[2] = 2.0;
  weights[7] = -1.5;
  weights[10] = 1.0;
  const DensityEstimate density(normal_rows(400, features, 8).view());
  const Matrix rows = normal_rows(80, features, 9);
  Matrix good(80, features), inverted(80, features);
  const auto classes = linear(weights)(rows.view());
  for (std::size_t r = 0; r < 80; ++r) {
    for (std::size_t d = 0; d < features; ++d) {
      good(r, d) = (classes[r] == 1 ? 1.0 : -1.0) * weights[d] * rows(r, d);
      inverted(r, d) = -good(r, d);
    }
  }
  const std::vector<Matrix> relevance{good, normal_rows(80, features, 10), inverted};
  const auto results = pixel_flipping(density, rows.view(), relevance, linear(weights));
  EXPECT_LT(results[0].mean + 5.0 * results[0].standard_error, results[1].mean);
  EXPECT_LT(results[1].mean + 5.0 * results[1].standard_error, results[2].mean);
}

TEST(PixelFlipping, ThreadsBatchesAndCompanyChangeNothing) {
  const std::size_t features = 13;
  const DensityEstimate density(two_clouds(60, features, 11).view());
  const Matrix rows = two_clouds(17, features, 12);
  const std::vector<Matrix> relevance{normal_rows(17, features, 13), normal_rows(17, features, 14)};
  PixelFlippingOptions options;
  options.samples = 10;
  const auto expected = pixel_flipping(density, rows.view(), relevance, crooked, options);
  for (const unsigned threads : {1u, 2u, 5u}) {
    for (const std::size_t batch : {1u, 20u, 33u, 100u, 700u, 100000u}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, batch " << batch);
      options.threads = threads;
      options.batch = batch;
      const auto results = pixel_flipping(density, rows.view(), relevance, crooked, options);
      for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(results[m].curves, expected[m].curves);
        EXPECT_EQ(results[m].aufc, expected[m].aufc);
      }
      const auto alone = pixel_flipping(density, rows.view(), {&relevance[1], 1}, crooked, options);
      EXPECT_EQ(alone[0].curves, expected[1].curves);
    }
  }
}

TEST(PixelFlipping, BatchesKeepToTheirSize) {
  const DensityEstimate density(two_clouds(30, 20, 15).view());
  const Matrix rows = two_clouds(9, 20, 16);
  const std::vector<Matrix> relevance{normal_rows(9, 20, 17)};
  std::size_t largest = 0, total = 0;
  PixelFlippingOptions options;
  options.threads = 2;
  options.batch = 130;
  pixel_flipping(
      density, rows.view(), relevance,
      [&](MatrixView<const double> batch) {
        largest = std::max(largest, batch.rows());
        total += batch.rows();
        return crooked(batch);
      },
      options);
  EXPECT_LE(largest, 130u);
  EXPECT_EQ(total, 9u + 9u * 10u * 50u);
}

// The mean is one imputed row where others are many: the curve is +1 or -1.
TEST(PixelFlipping, MeanIsOneImputedRow) {
  const DensityEstimate density(normal_rows(30, 3, 15).view());
  const Matrix rows = normal_rows(9, 3, 16);
  const std::vector<Matrix> relevance{normal_rows(9, 3, 17)};
  PixelFlippingOptions options;
  options.imputer = Imputer::mean;
  std::size_t total = 0;
  const BatchClassifier count = [&](MatrixView<const double> batch) {
    total += batch.rows();
    return linear({1.0, 2.0, 0.0})(batch);
  };
  const auto result = pixel_flipping(density, rows, relevance, count, options)[0];
  EXPECT_EQ(total, 9u + 9u * 3u);
  const auto classes = linear({1.0, 2.0, 0.0})(rows.view());
  for (std::size_t r = 0; r < 9; ++r) {
    Matrix imputed = gather_rows(rows, std::vector<std::size_t>{r});
    std::vector<std::size_t> order{0, 1, 2};
    std::ranges::sort(order, std::greater(), [&](auto d) { return relevance[0](r, d); });
    for (std::size_t m = 0; m < 3; ++m) {
      double mean = 0.0;
      for (std::size_t n = 0; n < 30; ++n) mean += density.points()(n, order[m]) / 30.0;
      imputed(0, order[m]) = mean;
      const bool stays = linear({1.0, 2.0, 0.0})(imputed.view())[0] == classes[r];
      EXPECT_EQ(result.curves(r, m + 1), stays ? 1.0 : -1.0);
    }
  }
}

TEST(PixelFlipping, EvaluatesADrawOfManyRowsAndSaysWhich) {
  const DensityEstimate density(two_clouds(30, 3, 18).view());
  const Matrix rows = two_clouds(40, 3, 19);
  const std::vector<Matrix> relevance{normal_rows(40, 3, 20)};
  PixelFlippingOptions options;
  const auto all = pixel_flipping(density, rows.view(), relevance, crooked, options)[0];
  options.rows = 10;
  const auto some = pixel_flipping(density, rows.view(), relevance, crooked, options)[0];
  ASSERT_EQ(some.rows.size(), 10u);
  EXPECT_EQ(some.rows, rows_to_evaluate(40, options));
  EXPECT_TRUE(std::is_sorted(some.rows.begin(), some.rows.end()));
  EXPECT_GT(some.rows.back(), 10u);
  for (std::size_t r = 0; r < 10; ++r) EXPECT_EQ(some.aufc[r], all.aufc[some.rows[r]]);
  options.seed = 1;
  EXPECT_NE(pixel_flipping(density, rows.view(), relevance, crooked, options)[0].rows, some.rows);
}

TEST(PixelFlipping, SummarizesRows) {
  const DensityEstimate density(two_clouds(30, 4, 21).view());
  const Matrix rows = two_clouds(11, 4, 22);
  const std::vector<Matrix> relevance{normal_rows(11, 4, 23)};
  const auto result = pixel_flipping(density, rows.view(), relevance, crooked)[0];
  double mean = 0.0, squares = 0.0;
  for (const double value : result.aufc) mean += value / 11.0;
  for (const double value : result.aufc) squares += std::pow(value - mean, 2);
  EXPECT_NEAR(result.mean, mean, 1e-14);
  EXPECT_NEAR(result.standard_error, std::sqrt(squares / 10.0) / std::sqrt(11.0), 1e-14);
  for (std::size_t m = 0; m < result.curve_x.size(); ++m) {
    double at = 0.0;
    for (std::size_t r = 0; r < 11; ++r) at += result.curves(r, m) / 11.0;
    EXPECT_NEAR(result.mean_curve[m], at, 1e-14);
  }
}

TEST(PixelFlipping, ReportsItsProgressToTheEnd) {
  const DensityEstimate density(two_clouds(30, 4, 24).view());
  const Matrix rows = two_clouds(6, 4, 25);
  const std::vector<Matrix> relevance{normal_rows(6, 4, 26)};
  PixelFlippingOptions options;
  options.batch = 100;
  std::vector<std::size_t> told;
  options.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 24u);
    told.push_back(done);
  };
  pixel_flipping(density, rows.view(), relevance, crooked, options);
  EXPECT_GT(told.size(), 2u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 24u);
}

TEST(PixelFlipping, RefusesWhatDoesNotFit) {
  const DensityEstimate density(two_clouds(30, 4, 27).view());
  const Matrix rows = two_clouds(6, 4, 28);
  const std::vector<Matrix> relevance{normal_rows(6, 4, 29)};
  const auto flip = [&](const Matrix& x, const Matrix& e, const PixelFlippingOptions& options,
                        const BatchClassifier& classify) {
    const std::vector<Matrix> matrices{e};
    return pixel_flipping(density, x.view(), matrices, classify, options);
  };
  EXPECT_NO_THROW(flip(rows, relevance[0], {}, crooked));
  EXPECT_THROW(flip(two_clouds(6, 5, 1), relevance[0], {}, crooked), InvalidInput);
  EXPECT_THROW(flip(rows, normal_rows(5, 4, 1), {}, crooked), InvalidInput);
  EXPECT_THROW(flip(rows, normal_rows(6, 3, 1), {}, crooked), InvalidInput);
  EXPECT_THROW(flip(Matrix(0, 4), Matrix(0, 4), {}, crooked), InvalidInput);
  Matrix broken = relevance[0];
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(flip(rows, broken, {}, crooked), InvalidInput);
  PixelFlippingOptions none;
  none.samples = 0;
  EXPECT_THROW(flip(rows, relevance[0], none, crooked), InvalidInput);
  const auto too_few = [](MatrixView<const double>) { return std::vector<std::size_t>{0}; };
  EXPECT_THROW(flip(rows, relevance[0], {}, too_few), InvalidInput);
  EXPECT_TRUE(pixel_flipping(density, rows.view(), {}, crooked).empty());
}

}  // namespace
}  // namespace bisector
