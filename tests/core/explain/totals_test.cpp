// Totals in the unit g: base value, relevance and remainder add up; rows far from the data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"
#include "reference/sum.h"

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
        explainer.emplace(model, method, in_g());
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

// Paths of neighbors follow the band of ranks, whose mean distance is not the q-th. The correction
// is larger there, and a remainder is left where it would be nearly all of the relevance.
TEST(Totals, RemainderOfPathRulesIsZeroForKernelMachines) {
  const Matrix rows = normal_rows(4, 60, 4);
  for (const Model& model : models()) {
    if (model.kernel() == nullptr) continue;
    for (const Method& method :
         {Method(PathRule{.eta = 0.0, .steps = 50}), Method(ExpectedPathRule{})}) {
      const Explanation e = explain(model, rows, method, in_g());
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
      const Explanation e = explain(model, rows, method, in_g());
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

TEST(Outside, FarRowsAreAndTheDataAreNot) {
  for (const Model& model : models()) {
    const Matrix& points = model.points();
    const Explanation of_points = explain(model, points, EtaRule{}, in_g());
    EXPECT_EQ(std::count(of_points.outside.begin(), of_points.outside.end(), true), 0);
    const Explanation far = explain(model, Matrix(1, 4, Vector(4, 50.0)), EtaRule{}, in_g());
    EXPECT_TRUE(far.outside[0]);
  }
}

TEST(Outside, WhereTheInterceptAloneDecides) {
  // Points far apart for their narrow kernel: between them nothing but the intercept is seen.
  const KernelMachine machine(Matrix(2, 1, {0.0, 10.0}), {1.0, -1.0}, Kernel(100.0), 0.5);
  const Model model = reference::plain_classifier(machine);
  const Explanation e = explain(model, Matrix(2, 1, {5.0, 0.01}), EtaRule{}, in_g());
  EXPECT_TRUE(e.outside[0]);
  EXPECT_FALSE(e.outside[1]);
}

TEST(Outside, RowsOfAnySizeAreFarFromFewPoints) {
  // With and without an intercept, whose digits a huge distance must not hide.
  for (const double intercept : {0.0, 0.3, -0.3}) {
    for (const double gamma : {1e-4, 1.0}) {
      const KernelMachine machine(Matrix(3, 2, {0.0, 0.0, 1.0, 0.5, -0.5, 1.0}), {1.0, -0.4, -0.6},
                                  Kernel(gamma), intercept);
      const Model model = reference::plain_classifier(machine);
      for (const Method& method : {Method(EtaRule{}), Method(PathRule{})}) {
        for (double size = 1e3; size < 5e99; size *= 10.0) {
          const Explanation e =
              explain(model, Matrix(3, 2, {size, 0.0, 0.0, -size, 0.5, 0.5}), method);
          EXPECT_TRUE(e.outside[0] && e.outside[1]) << size << ' ' << intercept << ' ' << gamma;
          EXPECT_FALSE(e.outside[2]);
        }
      }
    }
  }
}

TEST(Outside, RowsOfALinearMachineAreComparedWithTheBackground) {
  const KernelMachine machine(Matrix(2, 2, {1.0, 0.0, 0.0, 1.0}), {1.0, -1.0},
                              Kernel(KernelTerm{KernelForm::polynomial, 1.0}), 0.1);
  const Model model = reference::plain_classifier(machine);
  ExplainOptions options;
  options.background = normal_rows(3, 100, 2);
  const Explanation e = explain(model, Matrix(2, 2, {0.1, 0.1, 1e4, 0.0}), Auto{}, options);
  EXPECT_FALSE(e.outside[0]);
  EXPECT_TRUE(e.outside[1]);
}

TEST(Outside, AFewBackgroundRowsDoNotRepresentTheData) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 40, 2, 0.0));
  ExplainOptions options = in_g();
  options.background = Matrix(1, 2, {20.0, 0.0});
  const Explanation e = explain(model, Matrix(2, 2, {0.0, 0.0, 1e4, 0.0}), EtaRule{}, options);
  EXPECT_FALSE(e.outside[0]);
  EXPECT_TRUE(e.outside[1]);
}

TEST(Outside, IsJudgedByTheBackgroundWhereThereIsOne) {
  const Model model = reference::plain_classifier(reference::plain_machine(5, 40, 2, 0.0));
  ExplainOptions options = in_g();
  Matrix background = normal_rows(3, 100, 2);
  for (std::size_t n = 0; n < 100; ++n) background(n, 0) += 20.0;
  options.background = background;
  const Explanation e = explain(model, Matrix(2, 2, {20.0, 0.0, 10.0, 0.0}), EtaRule{}, options);
  EXPECT_FALSE(e.outside[0]);
  EXPECT_TRUE(e.outside[1]);
}

}  // namespace
}  // namespace bisector
