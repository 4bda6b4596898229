// The expected path rule of neighbors with categories, against its definition: on the path from
// one row to another, a category is a mixture of both levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "core/contrast/one_hot.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"
#include "reference/plain_distances.h"
#include "reference/random_distances.h"

namespace bisector {
namespace {

struct Categories {
  Distance distance;
  Matrix points, rows;
  std::vector<std::size_t> classes;

  Model model(std::size_t k) const {
    NeighborVote vote;
    vote.distance = distance;
    return Model(NeighborModel(points, classes, {"a", "b"}, k, vote));
  }
};

/// Three levels each, every other feature a number; rows have levels that no point has, too.
Categories random_categories(std::uint64_t seed) {
  Random random(seed);
  constexpr std::size_t features = 5, points = 40;
  std::vector<double> weights(features, 0.0);
  for (std::size_t d = 0; d < features; d += 2) weights[d] = 0.5 + random.uniform();
  Categories result{Distance(1.0, weights), Matrix(points, features), Matrix(6, features), {}};
  const auto fill = [&](Matrix& rows, std::size_t levels) {
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t d = 0; d < features; ++d)
        rows(r, d) = weights[d] > 0.0 ? static_cast<double>(random.below(levels)) : random.normal();
    }
  };
  fill(result.points, 3);
  fill(result.rows, 4);
  for (std::size_t n = 0; n < points; ++n) result.classes.push_back(n % 2);
  return result;
}

TEST(CategoryPaths, ColumnsOfZerosAndOnesKeepTheDistances) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Categories own = random_categories(seed);
    const Model model = own.model(3);
    const detail::OneHot one_hot(model);
    const Model expanded = one_hot.expanded(model);
    const Matrix rows = one_hot.expand(own.rows.view());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t n = 0; n < own.points.rows(); ++n)
        EXPECT_NEAR(
            reference::distance_sum(expanded.distance(), rows.row(r), expanded.points().row(n)),
            reference::distance_sum(own.distance, own.rows.row(r), own.points.row(n)), 1e-14);
    }
  }
}

/// A part of the distance at the middle of the path from r to x.
double part_between(const Distance& distance, std::size_t d, double r, double x, double u) {
  if (distance.is_category(d))
    return distance.categories()[d] * ((r != u ? 0.5 : 0.0) + (x != u ? 0.5 : 0.0));
  return std::abs((r + x) / 2.0 - u);
}

/// The change of that part along the whole path.
double change_between(const Distance& distance, std::size_t d, double r, double x, double u) {
  if (distance.is_category(d))
    return distance.categories()[d] * ((x != u ? 1.0 : 0.0) - (r != u ? 1.0 : 0.0));
  return (x - r) * ((r + x) / 2.0 > u ? 1.0 : -1.0);
}

/// The relevance of one step in the middle of the path: the change of N's mean part minus that of
/// P's, over the ranks q - kappa to q + kappa of either class.
std::vector<double> one_step(const Categories& own, std::size_t k, std::size_t kappa,
                             std::span<const double> r, std::span<const double> x) {
  std::vector<double> relevance(x.size(), 0.0);
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    std::vector<std::pair<double, std::size_t>> pool;
    for (std::size_t n = 0; n < own.points.rows(); ++n) {
      double sum = 0.0;
      for (std::size_t d = 0; d < x.size(); ++d)
        sum += part_between(own.distance, d, r[d], x[d], own.points(n, d));
      if (own.classes[n] == side) pool.emplace_back(sum, n);
    }
    std::sort(pool.begin(), pool.end());
    const std::size_t q = (k + 1) / 2;
    for (std::size_t rank = q - kappa; rank <= q + kappa; ++rank) {
      const auto point = own.points.row(pool[rank - 1].second);
      for (std::size_t d = 0; d < x.size(); ++d)
        relevance[d] += (side == 1 ? 1.0 : -1.0) / static_cast<double>(2 * kappa + 1) *
                        change_between(own.distance, d, r[d], x[d], point[d]);
    }
  }
  return relevance;
}

TEST(CategoryPaths, OneStepIsItsDefinition) {
  constexpr std::size_t k = 7, kappa = 1;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const Categories own = random_categories(seed);
    const Model model = own.model(k);
    const std::vector<std::size_t> twice{1, 1};
    ExplainOptions options = in_g();
    options.background = gather_rows(own.points, twice);
    options.positive_class = "a";
    options.versus = "b";
    ExpectedPathRule rule{.eta = 0.0, .references = 1, .side = ReferenceSide::all};
    rule.responsibilities.kappa = kappa;
    const Explanation why = explain(model, own.rows, rule, options);
    for (std::size_t r = 0; r < own.rows.rows(); ++r) {
      const std::vector<double> expected = reference::corrected(
          one_step(own, k, kappa, own.points.row(1), own.rows.row(r)), why.g[r] - why.base[r]);
      for (std::size_t d = 0; d < expected.size(); ++d)
        EXPECT_NEAR(why.relevance(r, d), expected[d], 1e-12) << "seed " << seed << " row " << r;
    }
  }
}

TEST(CategoryPaths, AddUpToWhatTheWayChanges) {
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const Categories own = random_categories(seed);
    const std::vector<std::size_t> twice{1, 1};
    ExplainOptions options = in_g();
    options.background = gather_rows(own.points, twice);
    ExpectedPathRule rule{.eta = 0.0, .references = 2000, .side = ReferenceSide::all};
    rule.responsibilities.kappa = 0;
    const Explanation why = explain(own.model(7), own.rows, rule, options);
    for (std::size_t r = 0; r < own.rows.rows(); ++r) EXPECT_LT(std::abs(why.correction[r]), 0.02);
  }
}

TEST(CategoryPaths, ManyLevelsAreLeftToThePartsOfTheDistances) {
  Matrix points(2100, 2);
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    points(n, 0) = static_cast<double>(n);
    points(n, 1) = static_cast<double>(n % 7);
    classes.push_back(n % 2);
  }
  NeighborVote vote;
  vote.distance = Distance::hamming(2);
  const Model many(NeighborModel(points, classes, {"a", "b"}, 3, vote));
  EXPECT_EQ(name(Explainer(many, Auto{}, in_g()).method()), "lrp");
  try {
    Explainer(many, ExpectedPathRule{}, in_g());
    FAIL() << "expected a refusal";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("with at most 2000 levels"), std::string::npos)
        << error.what();
  }
  vote.distance = Distance(1.0, {0.0, 1.0});
  const Model few(NeighborModel(points, classes, {"a", "b"}, 3, vote));
  EXPECT_EQ(name(Explainer(few, Auto{}, in_g()).method()), "lrp-expected");
}

}  // namespace
}  // namespace bisector
