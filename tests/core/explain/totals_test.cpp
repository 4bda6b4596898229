// Numbers that add up: base, relevance and remainder, their units, and rows outside the data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bisector/explain.h"
#include "reference/path_rule.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::Vector;

std::vector<Model> models() {
  return {reference::plain_classifier(reference::plain_machine(5, 40, 4, 0.2)),
          Model(KernelRegressor{reference::plain_machine(6, 40, 4, 0.2), 0.1}),
          Model(OneClassMachine{
              KernelMachine(normal_rows(2, 30, 4), Vector(30, 1.0), Kernel(0.5), -6.0)}),
          reference::three_classes(7, 4),
          reference::plain_neighbors(6, 60, 4, 2, 5),
          reference::plain_neighbors(6, 60, 4, 3, 4),
          Model(NeighborRegressor(normal_rows(8, 60, 4), normal_rows(9, 1, 60).values(), 5))};
}

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// What a method explains at a row.
double output(const Method& method, const Explanation& e, std::size_t r) {
  const bool is_rule = std::visit(
      [](const auto& m) {
        return !requires { m.output; };
      },
      method);
  if (std::holds_alternative<ExactShapley>(method)) return e.decision[r];
  if (is_rule) return e.g[r];
  return e.decision[r];
}

TEST(Totals, EveryMethodAddsUpToItsOutput) {
  const Matrix rows = normal_rows(4, 30, 4);
  for (const Model& model : models()) {
    for (const Method& method : all_methods()) {
      std::optional<Explainer> explainer;
      try {
        explainer.emplace(model, method);
      } catch (const std::exception&) {
        continue;  // not defined for this model, which other tests see to
      }
      const Explanation e = (*explainer)(rows);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)) + e.remainder[r], e.output[r],
                    1e-9 * (1.0 + std::abs(e.g[r])))
            << name(method);
        EXPECT_EQ(e.output[r], output(explainer->method(), e, r)) << name(method);
      }
    }
  }
}

// The ways of neighbors follow the band of ranks, whose mean distance is not the q-th: there the
// correction is larger, and where it would be nearly all of the relevance, something is left.
TEST(Totals, RemainderOfPathRulesIsZeroForKernelMachines) {
  const Matrix rows = normal_rows(4, 60, 4);
  for (const Model& model : models()) {
    if (model.kernel() == nullptr) continue;
    for (const Method& method :
         {Method(PathRule{.eta = 0.0, .steps = 50}), Method(ExpectedPathRule{})}) {
      const Explanation e = explain(model, rows, method);
      for (std::size_t r = 0; r < rows.rows(); ++r)
        EXPECT_NEAR(e.remainder[r], 0.0, 1e-9 * (1.0 + std::abs(e.g[r])));
    }
  }
}

TEST(Totals, CorrectionKeepsSignAndOrder) {
  const Vector before = {3.0, -1.0, 0.5, -2.0, 0.0};
  for (const double wanted : {-5.0, 0.0, 1.0, 20.0}) {
    const Vector after = reference::corrected(before, wanted);
    for (std::size_t a = 0; a < before.size(); ++a) {
      EXPECT_EQ(before[a] > 0.0, after[a] > 0.0);
      for (std::size_t b = 0; b < before.size(); ++b)
        EXPECT_EQ(before[a] < before[b], after[a] < after[b]);
    }
  }
}

TEST(Totals, OneBaseForAllRowsOfAContrastAndSide) {
  const Matrix rows = normal_rows(4, 80, 4);
  for (const Model& model : models()) {
    for (const Method& method :
         {Method(Auto{}), Method(EtaRule{}), Method(PathRule{}),
          Method(ExpectedPathRule{.side = ReferenceSide::all}),
          Method(ExpectedPathRule{.side = ReferenceSide::both}),
          Method(ExpectedPathRule{.side = ReferenceSide::other}), Method(Occlusion{})}) {
      const Explanation e = explain(model, rows, method);
      const auto* expected = std::get_if<ExpectedPathRule>(&method);
      const bool by_side = expected != nullptr && *expected->side == ReferenceSide::other;
      std::map<std::vector<std::size_t>, double> bases;
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        std::vector<std::size_t> contrast;
        if (!model.is_regressor()) contrast = {e.positive[r], e.negative[r]};
        if (by_side) contrast.push_back(e.g[r] > 0.0);
        const auto [found, is_new] = bases.emplace(contrast, e.base[r]);
        EXPECT_EQ(found->second, e.base[r]);
      }
    }
  }
}

TEST(Unit, KeepsSignAndOrderAndAddsUpToTheDecision) {
  const Matrix rows = normal_rows(4, 60, 4);
  for (const Model& model : models()) {
    for (const Method& method : {Method(EtaRule{}), Method(ExpectedPathRule{})}) {
      const Explanation in_g = explain(model, rows, method);
      for (const Unit unit : {Unit::decision, Unit::share}) {
        ExplainOptions options;
        options.unit = unit;
        const Explanation e = explain(model, rows, method, options);
        EXPECT_EQ(e.g, in_g.g);
        for (std::size_t r = 0; r < rows.rows(); ++r) {
          if (in_g.tie[r]) continue;
          const double total = unit == Unit::decision ? e.decision[r]
                               : e.g[r] > 0.0         ? 100.0
                                                      : -100.0;
          EXPECT_EQ(e.output[r], total);
          EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)) + e.remainder[r], total,
                      1e-9 * (1.0 + std::abs(total)));
          const double factor = total / in_g.g[r];
          EXPECT_GT(factor, 0.0);
          for (std::size_t d = 0; d < 4; ++d)
            EXPECT_NEAR(e.relevance(r, d), factor * in_g.relevance(r, d),
                        1e-9 * std::abs(e.relevance(r, d)));
        }
      }
    }
  }
}

TEST(Unit, TiesHaveNoDecisionToShare) {
  // Two classes, k = 2: a vote each.
  const Model model(NeighborModel(Matrix(2, 1, {0.0, 1.0}), {0, 1}, {"a", "b"}, 2));
  ExplainOptions options;
  options.unit = Unit::decision;
  const Explanation e = explain(model, Matrix(1, 1, {0.2}), EtaRule{}, options);
  EXPECT_TRUE(e.tie[0]);
  EXPECT_EQ(e.decision[0], 0.0);
  EXPECT_EQ(e.relevance(0, 0), 0.0);
}

// A class with fewer points than the rank that decides is infinitely far.
TEST(Unit, AnInfiniteGKeepsSignAndOrder) {
  const Model model(NeighborModel(Matrix(6, 2, {0, 0, 1, 0, 0, 1, 1, 1, 2, 1, 3, 3}),
                                  {0, 0, 0, 0, 0, 1}, {"common", "rare"}, 5));
  const Matrix row(1, 2, {0.5, 0.2});
  for (const Method& method : {Method(EtaRule{}), Method(ExpectedPathRule{})}) {
    const Explanation in_g = explain(model, row, method);
    ASSERT_TRUE(std::isinf(in_g.g[0]));
    for (const Unit unit : {Unit::decision, Unit::share}) {
      ExplainOptions options;
      options.unit = unit;
      const Explanation e = explain(model, row, method, options);
      const double total = unit == Unit::decision ? e.decision[0] : std::copysign(100.0, e.g[0]);
      EXPECT_NEAR(e.base[0] + sum(e.relevance.row(0)) + e.remainder[0], total, 1e-12 * 100.0);
      const double factor = e.relevance(0, 0) / in_g.relevance(0, 0);
      EXPECT_GT(factor, 0.0);
      EXPECT_NEAR(e.relevance(0, 1), factor * in_g.relevance(0, 1), 1e-9);
      EXPECT_LE(std::abs(e.relevance(0, 0)) + std::abs(e.relevance(0, 1)),
                std::abs(total) * (1.0 + 1e-12));
    }
  }
}

TEST(Outside, FarRowsAreAndTheDataAreNot) {
  for (const Model& model : models()) {
    const Matrix& points = model.points();
    const Explanation of_points = explain(model, points, EtaRule{});
    EXPECT_EQ(std::count(of_points.outside.begin(), of_points.outside.end(), true), 0);
    const Explanation far = explain(model, Matrix(1, 4, Vector(4, 50.0)), EtaRule{});
    EXPECT_TRUE(far.outside[0]);
  }
}

TEST(Outside, WhereTheInterceptAloneDecides) {
  // Points far apart for their narrow kernel: between them nothing but the intercept is seen.
  const KernelMachine machine(Matrix(2, 1, {0.0, 10.0}), {1.0, -1.0}, Kernel(100.0), 0.5);
  const Model model = reference::plain_classifier(machine);
  const Explanation e = explain(model, Matrix(2, 1, {5.0, 0.01}), EtaRule{});
  EXPECT_TRUE(e.outside[0]);
  EXPECT_FALSE(e.outside[1]);
}

TEST(Outside, IsJudgedByTheBackgroundWhereThereIsOne) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 40, 2, 0.0));
  ExplainOptions options;
  Matrix background = normal_rows(3, 100, 2);
  for (std::size_t n = 0; n < 100; ++n) background(n, 0) += 20.0;
  options.background = background;
  const Explanation e = explain(model, Matrix(2, 2, {20.0, 0.0, 10.0, 0.0}), EtaRule{}, options);
  EXPECT_FALSE(e.outside[0]);
  EXPECT_TRUE(e.outside[1]);
}

}  // namespace
}  // namespace bisector
