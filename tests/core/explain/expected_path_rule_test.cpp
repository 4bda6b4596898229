// The expected path rule against its definition, and what its references are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/path_rule.h"

namespace bisector {
namespace {

using reference::Vector;

Matrix normal_rows(std::uint64_t seed, std::size_t rows, std::size_t features) {
  Random random(seed);
  return reference::normal_matrix(random, rows, features);
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  return order;
}

/// The steps to a row with this g: rows of the background in the order of the draw, on the sides
/// that are wanted, and middles of equal parts in another order.
std::vector<reference::WayStep> drawn_steps(const Matrix& background, const Vector& background_g,
                                            const ExpectedPathRule& rule, double g) {
  std::vector<std::size_t> above, below, all = shuffled(background.rows(), rule.seed);
  for (const std::size_t n : all) (background_g[n] > 0.0 ? above : below).push_back(n);
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < rule.references; ++s) {
    if (*rule.side == ReferenceSide::all) {
      chosen.push_back(all[s % all.size()]);
    } else if (*rule.side == ReferenceSide::both) {
      const auto& side = s % 2 == 0 ? above : below;
      chosen.push_back(side[s / 2 % side.size()]);
    } else {
      const auto& side = g > 0.0 ? below : above;
      chosen.push_back(side[s % side.size()]);
    }
  }
  const std::vector<std::size_t> parts = shuffled(rule.references, rule.seed);
  std::vector<reference::WayStep> steps;
  for (std::size_t s = 0; s < chosen.size(); ++s)
    steps.push_back({reference::to_vector(background.row(chosen[s])),
                     (static_cast<double>(parts[s]) + 0.5) / static_cast<double>(rule.references)});
  return steps;
}

template <class PoolsAt>
void expect_definition(const Model& model, const ExpectedPathRule& rule, const Matrix& background,
                       const Matrix& rows, const PoolsAt& pools_at) {
  ExplainOptions options;
  options.background = background;
  const Explanation explanation = Explainer(model, rule, options)(rows);
  const Vector background_g = explain(model, background, EtaRule{}).g;
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
  ExplainOptions from_background, given;
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
  ExplainOptions options;
  options.background = model.points();
  EXPECT_EQ(explain(model, rows, ExpectedPathRule{}).relevance,
            explain(model, rows, ExpectedPathRule{}, options).relevance);
}

TEST(ExpectedPathRule, QuadratureErrorShrinksWithTheReferences) {
  const Model model = reference::plain_classifier(reference::plain_machine(14, 30, 4, 0.2));
  const Matrix rows = normal_rows(3, 20, 4);
  ExplainOptions options;
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
  EXPECT_LT(error(400), error(10) / 3.0);
}

TEST(ExpectedPathRule, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Matrix rows = normal_rows(5, 150, 4);
  for (const Model& model :
       {reference::plain_classifier(reference::plain_machine(5, 300, 4, 0.2)),
        reference::three_classes(7, 4), reference::plain_neighbors(6, 50, 4, 3, 4)}) {
    for (const ReferenceSide side : kSides) {
      ExplainOptions one, three;
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
  ExplainOptions single;
  single.precision = Precision::float32;
  const Matrix exact = explain(model, rows, ExpectedPathRule{}).relevance;
  const Matrix coarse = explain(model, rows, ExpectedPathRule{}, single).relevance;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < 6; ++d) EXPECT_NEAR(coarse(r, d), exact(r, d), 2e-4);
  }
}

TEST(ExpectedPathRule, IsRefusedWithoutReferences) {
  const Model model = reference::plain_neighbors(6, 50, 4, 2, 5);
  EXPECT_THROW(Explainer(model, ExpectedPathRule{.references = 0}), InvalidInput);
  EXPECT_THROW(Explainer(model, ExpectedPathRule{.neighborhood = 1.5}), InvalidInput);
}

}  // namespace
}  // namespace bisector
