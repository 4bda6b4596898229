#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/evaluate.h"
#include "core/evaluate/order_search.h"
#include "core/evaluate/testing_data.h"
#include "reference/error_of.h"
#include "reference/flipping.h"

namespace bisector {

using namespace detail;

namespace {

/// Two classes that only several features together tell from each other.
std::vector<std::size_t> wavy(MatrixView<const double> rows) {
  std::vector<std::size_t> classes;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    double sum = 0.0;
    for (std::size_t d = 0; d < rows.cols(); ++d)
      sum += std::sin(rows(r, d) * static_cast<double>(d % 3 + 1));
    classes.push_back(sum > 0.3);
  }
  return classes;
}

std::vector<double> relevance_of(const std::vector<std::size_t>& order) {
  std::vector<double> relevance(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) relevance[order[n]] = -static_cast<double>(n);
  return relevance;
}

/// The area under the curve of an order on the draws for choosing, by plain loops.
double choosing_area(const DensityEstimate& density, const Matrix& rows, std::size_t row,
                     const std::vector<std::size_t>& order, const PixelFlippingOptions& options) {
  const auto curve = reference::flipping_curve(density, rows.row(row), relevance_of(order), wavy,
                                               row, choosing_seed(options.seed), options.samples);
  return reference::area(measured_removals(order.size()), curve);
}

TEST(OrderSearch, FindsTheBestOfAllOrders) {
  constexpr std::size_t features = 4;
  const DensityEstimate density(two_clouds(40, features, 1).view());
  const Matrix rows = two_clouds(6, features, 2);
  PixelFlippingOptions options;
  options.samples = 15;
  options.seed = 3;
  const BatchClassifier classify = wavy;
  RemovalScores scores(density, rows, classify, options);
  bool some_order_is_worse = false;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    scores.set_row(r);
    const double found = choosing_area(density, rows, r, best_of_all_orders(scores), options);
    std::vector<std::size_t> order(features);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double lowest = 2.0, highest = -2.0;
    do {
      const double area = choosing_area(density, rows, r, order, options);
      lowest = std::min(lowest, area);
      highest = std::max(highest, area);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_NEAR(found, lowest, 1e-12);
    some_order_is_worse |= highest > lowest + 0.1;
  }
  EXPECT_TRUE(some_order_is_worse);
}

// Step by step: no other feature would have left a lower curve, forwards or backwards.
TEST(OrderSearch, GreedyStepsAreTheBestOfTheirs) {
  constexpr std::size_t features = 12;
  const DensityEstimate density(two_clouds(60, features, 4).view());
  const Matrix rows = two_clouds(3, features, 5);
  PixelFlippingOptions options;
  options.samples = 15;
  const BatchClassifier classify = wavy;
  RemovalScores scores(density, rows, classify, options);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    scores.set_row(r);
    const auto order = better_greedy_order(scores);
    const auto greedy = [&](bool forwards) {
      for (std::size_t n = 1; n < features; ++n) {
        RemovedSet own(features, false);
        for (std::size_t i = 0; i < n; ++i) own[order[i]] = true;
        std::vector<RemovedSet> others{own};
        for (std::size_t i = 0; i < features; ++i) {
          if ((i < n) == forwards) continue;
          others.push_back(own);
          // Another feature in the place of the one that was turned at this step.
          others.back()[order[forwards ? n - 1 : n]] = !forwards;
          others.back()[order[i]] = forwards;
        }
        const auto found = scores(others);
        if (*std::ranges::min_element(found) < found[0]) return false;
      }
      return true;
    };
    EXPECT_TRUE(greedy(true) || greedy(false)) << "row " << r;
    std::vector<std::size_t> sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t d = 0; d < features; ++d) EXPECT_EQ(sorted[d], d);
  }
}

struct Measured {
  std::vector<PixelFlippingResult> results;
  ReachableOrder reachable;
};

Measured measure(std::size_t features, std::size_t count, PixelFlippingOptions options) {
  const DensityEstimate density(two_clouds(80, features, 6).view());
  const Matrix rows = two_clouds(count, features, 7);
  std::vector<Matrix> relevance;
  for (std::uint64_t seed = 8; seed < 12; ++seed)
    relevance.push_back(normal_rows(count, features, seed));
  Measured measured;
  measured.results = pixel_flipping(density, rows, relevance, wavy, options);
  measured.reachable = reachable_order(density, rows, measured.results, wavy, options);
  return measured;
}

TEST(ReachableOrder, IsBelowEveryOrder) {
  for (const std::size_t features : {5u, 11u}) {
    const auto [results, reachable] = measure(features, 25, {});
    EXPECT_EQ(reachable.is_exact, features == 5);
    EXPECT_EQ(reachable.result.rows.size(), 25u);
    for (std::size_t m = 0; m < results.size(); ++m) {
      EXPECT_LT(reachable.result.mean, results[m].mean);
      EXPECT_NEAR(reachable.share[m],
                  (reachable.random - results[m].mean) / (reachable.random - reachable.result.mean),
                  1e-12);
    }
    EXPECT_NEAR(reachable.random, results[0].mean, 4.0 * results[0].standard_error);
  }
}

TEST(ReachableOrder, TakesFewRowsAndNeitherThreadsNorBatchesChangeIt) {
  PixelFlippingOptions options;
  options.samples = 5;
  options.threads = 1;
  const auto [results, reachable] = measure(9, 40, options);
  EXPECT_EQ(reachable.result.rows.size(), ReachableOrder::kMaxGreedyRows);
  double mean = 0.0;
  for (const std::size_t row : reachable.result.rows) mean += results[0].aufc[row] / 30.0;
  EXPECT_NEAR(reachable.share[0],
              (reachable.random - mean) / (reachable.random - reachable.result.mean), 1e-12);
  options.threads = 3;
  options.batch = 7;
  const auto other = measure(9, 40, options);
  EXPECT_EQ(reachable.result.curves, other.reachable.result.curves);
  EXPECT_EQ(reachable.share, other.reachable.share);
}

TEST(ReachableOrder, RefusesWideRows) {
  const DensityEstimate density(two_clouds(10, 101, 6).view());
  const Matrix rows = two_clouds(2, 101, 7);
  EXPECT_NE(error_of([&] {
              reachable_order(density, rows, {}, wavy);
            }).find("101 features, expected at most 100"),
            std::string::npos);
}

}  // namespace
}  // namespace bisector
