// The expected path rule against its definition, and what its references are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::Vector;

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  return order;
}

/// Each row's features and squared deviations, standardized.
Matrix standard_moments(const Matrix& rows) {
  Matrix moments(rows.rows(), 2 * rows.cols());
  const auto count = static_cast<double>(rows.rows());
  const auto standardize = [&](std::size_t v, bool scale) {
    double mean = 0.0, square = 0.0;
    for (std::size_t n = 0; n < rows.rows(); ++n) mean += moments(n, v) / count;
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      moments(n, v) -= mean;
      square += moments(n, v) * moments(n, v) / count;
    }
    for (std::size_t n = 0; scale && square > 0.0 && n < rows.rows(); ++n)
      moments(n, v) /= std::sqrt(square);
  };
  for (std::size_t d = 0; d < rows.cols(); ++d) {
    for (std::size_t n = 0; n < rows.rows(); ++n) moments(n, d) = rows(n, d);
    standardize(d, false);
    for (std::size_t n = 0; n < rows.rows(); ++n)
      moments(n, rows.cols() + d) = moments(n, d) * moments(n, d);
    standardize(d, true);
    standardize(rows.cols() + d, true);
  }
  return moments;
}

double length_of_sum(const Matrix& moments, const std::vector<std::size_t>& members,
                     const Vector& weights) {
  double total = 0.0;
  for (std::size_t v = 0; v < moments.cols(); ++v) {
    double sum = 0.0;
    for (std::size_t m = 0; m < members.size(); ++m) sum += weights[m] * moments(members[m], v);
    total += sum * sum;
  }
  return total;
}

/// One after the other the row that keeps the chosen ones' sum shortest.
std::vector<std::size_t> balanced(const Matrix& background, const std::vector<std::size_t>& list,
                                  std::size_t count) {
  const Matrix moments = standard_moments(gather_rows(background, list));
  std::vector<std::size_t> chosen, result;
  while (chosen.size() < count) {
    const std::size_t round = chosen.size() / list.size() * list.size();
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (std::find(chosen.begin() + static_cast<std::ptrdiff_t>(round), chosen.end(), n) !=
          chosen.end())
        continue;
      chosen.push_back(n);
      const double length = length_of_sum(moments, chosen, Vector(chosen.size(), 1.0));
      chosen.pop_back();
      if (length < smallest) {
        smallest = length;
        best = n;
      }
    }
    chosen.push_back(best);
    result.push_back(list[best]);
  }
  return result;
}

/// Of 64 orders of the middles of equal parts the one with the least covariance.
Vector spread_fractions(const Matrix& references, std::uint64_t seed) {
  const Matrix moments = standard_moments(references);
  Vector order, best;
  std::vector<std::size_t> all(references.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t s = 0; s < references.rows(); ++s)
    order.push_back((static_cast<double>(s) + 0.5) / static_cast<double>(references.rows()));
  Random random(seed);
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 64; ++i) {
    random.shuffle(std::span(order));
    Vector centered = order;
    for (double& value : centered) value -= 0.5;
    const double length = length_of_sum(moments, all, centered);
    if (length >= smallest) continue;
    smallest = length;
    best = order;
  }
  return best;
}

/// The steps to a row with this g.
std::vector<reference::PathStep> drawn_steps(const Matrix& background, const Vector& background_g,
                                             const ExpectedPathRule& rule, double g) {
  std::vector<std::size_t> above, below, all = shuffled(background.rows(), rule.seed), chosen;
  for (const std::size_t n : all) (background_g[n] > 0.0 ? above : below).push_back(n);
  const std::size_t count = rule.references;
  if (*rule.side == ReferenceSide::all) chosen = balanced(background, all, count);
  if (*rule.side == ReferenceSide::other)
    chosen = balanced(background, g > 0.0 ? below : above, count);
  if (*rule.side == ReferenceSide::both) {
    chosen = balanced(background, above, (count + 1) / 2);
    const auto others = balanced(background, below, count / 2);
    chosen.insert(chosen.end(), others.begin(), others.end());
  }
  const Vector fractions = spread_fractions(gather_rows(background, chosen), rule.seed);
  std::vector<reference::PathStep> steps;
  for (std::size_t s = 0; s < chosen.size(); ++s)
    steps.push_back({reference::to_vector(background.row(chosen[s])), fractions[s]});
  return steps;
}

template <class PoolsAt>
void expect_definition(const Model& model, const ExpectedPathRule& rule, const Matrix& background,
                       const Matrix& rows, const PoolsAt& pools_at) {
  ExplainOptions options = in_g();
  options.background = background;
  const Explanation explanation = Explainer(model, rule, options)(rows);
  const Vector background_g = explain(model, background, EtaRule{}, in_g()).g;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const auto steps = drawn_steps(background, background_g, rule, explanation.g[n]);
    const Vector expected = reference::corrected(
        reference::path_rule(
            [&](const Vector& x) {
              return pools_at(x, explanation.positive[n], explanation.negative[n]);
            },
            reference::to_vector(rows.row(n)), steps, *rule.eta),
        explanation.g[n] - explanation.base[n]);
    for (std::size_t d = 0; d < rows.cols(); ++d)
      ASSERT_NEAR(explanation.relevance(n, d), expected[d], 2e-11) << "row " << n;
  }
}

const ReferenceSide kSides[] = {ReferenceSide::all, ReferenceSide::other, ReferenceSide::both};

TEST(ExpectedPathRule, OfKernelMachinesIsItsDefinition) {
  for (const ReferenceSide side : kSides) {
    for (const double intercept : {-0.4, 0.3}) {
      const KernelMachine machine = reference::plain_machine(3, 20, 5, intercept);
      expect_definition(reference::plain_classifier(machine),
                        {.eta = 0.2, .references = 9, .side = side, .seed = 4},
                        normal_rows(6, 30, 5), normal_rows(8, 70, 5),
                        [&](const Vector& x, std::size_t, std::size_t) {
                          return reference::soft_pools(machine, machine.gamma(), x);
                        });
    }
  }
}

TEST(ExpectedPathRule, OfNeighborsIsItsDefinition) {
  for (const ReferenceSide side : kSides) {
    const Model model = reference::plain_neighbors(5, 90, 4, 2, 5);
    const auto& neighbors = std::get<NeighborModel>(model.predictor());
    expect_definition(model, {.eta = 0.3, .references = 8, .side = side, .seed = 1},
                      normal_rows(6, 40, 4), normal_rows(9, 70, 4),
                      [&](const Vector& x, std::size_t positive, std::size_t negative) {
                        return reference::ranked_pools(neighbors, positive, negative, 2, x);
                      });
  }
}

TEST(ExpectedPathRule, WithOneReferenceIsThePathRuleOfOneStep) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 20, 5, 0.2));
  const Matrix rows = normal_rows(4, 10, 5), background(2, 5, Vector(10, 0.25));
  ExplainOptions from_background = in_g(), given = in_g();
  from_background.background = background;
  given.reference = {Reference::Kind::given, Vector(5, 0.25)};
  const ExpectedPathRule expected{.eta = 0.1, .references = 1, .side = ReferenceSide::all};
  const Matrix a = explain(model, rows, expected, from_background).relevance;
  const Matrix b = explain(model, rows, PathRule{.eta = 0.1, .steps = 1}, given).relevance;
  for (std::size_t r = 0; r < 10; ++r) {
    for (std::size_t d = 0; d < 5; ++d) EXPECT_NEAR(a(r, d), b(r, d), 1e-12);
  }
}

TEST(ExpectedPathRule, TakesTheModelsOwnPointsWithoutABackground) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 40, 4, 0.2));
  const Matrix rows = normal_rows(4, 20, 4);
  ExplainOptions options = in_g();
  options.background = model.points();
  EXPECT_EQ(explain(model, rows, ExpectedPathRule{}, in_g()).relevance,
            explain(model, rows, ExpectedPathRule{}, options).relevance);
}

TEST(ExpectedPathRule, QuadratureErrorShrinksWithTheReferences) {
  const Model model = reference::plain_classifier(reference::plain_machine(14, 30, 4, 0.2));
  const Matrix rows = normal_rows(3, 20, 4);
  ExplainOptions options = in_g();
  options.background = normal_rows(8, 500, 4);
  const auto error = [&](std::size_t references) {
    const Explanation e =
        explain(model, rows, ExpectedPathRule{.references = references, .side = ReferenceSide::all},
                options);
    double total = 0.0;
    for (std::size_t r = 0; r < rows.rows(); ++r)
      total += std::abs(e.correction[r]) + std::abs(e.remainder[r]);
    return total;
  };
  EXPECT_LT(error(400), error(5) / 2.0);
}

TEST(ExpectedPathRule, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Matrix rows = normal_rows(5, 150, 4);
  for (const Model& model :
       {reference::plain_classifier(reference::plain_machine(5, 300, 4, 0.2)),
        reference::three_classes(7, 4), reference::plain_neighbors(6, 50, 4, 3, 4)}) {
    for (const ReferenceSide side : kSides) {
      ExplainOptions one = in_g(), three = in_g();
      one.threads = 1;
      three.threads = 3;
      const ExpectedPathRule rule{.references = 12, .side = side, .neighborhood = 0.25};
      const Explanation whole = explain(model, rows, rule, one);
      const Explainer explainer(model, rule, three);
      EXPECT_EQ(explainer(rows).relevance, whole.relevance);
      const Explanation tail = explainer(rows.view().rows(77, 73));
      for (std::size_t r = 0; r < 73; ++r) {
        ASSERT_EQ(tail.base[r], whole.base[77 + r]);
        for (std::size_t d = 0; d < 4; ++d)
          ASSERT_EQ(tail.relevance(r, d), whole.relevance(77 + r, d));
      }
    }
  }
}

TEST(ExpectedPathRule, SinglePrecisionIsClose) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 300, 6, 0.2));
  const Matrix rows = normal_rows(5, 40, 6);
  ExplainOptions single = in_g();
  single.precision = Precision::float32;
  const Matrix exact = explain(model, rows, ExpectedPathRule{}, in_g()).relevance;
  const Matrix coarse = explain(model, rows, ExpectedPathRule{}, single).relevance;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < 6; ++d) EXPECT_NEAR(coarse(r, d), exact(r, d), 2e-4);
  }
}

TEST(ExpectedPathRule, IsRefusedWithoutReferences) {
  const Model model = reference::plain_neighbors(6, 50, 4, 2, 5);
  EXPECT_THROW(Explainer(model, ExpectedPathRule{.references = 0}, in_g()), InvalidInput);
  EXPECT_THROW(Explainer(model, ExpectedPathRule{.neighborhood = 1.5}, in_g()), InvalidInput);
}

}  // namespace
}  // namespace bisector
