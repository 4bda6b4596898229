// Explainer::gradients and Explainer::complete, which serve models on top of a network.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"

namespace bisector {
namespace {

using reference::normal_rows;

std::vector<Model> models() {
  return {
      reference::plain_classifier(reference::plain_machine(5, 40, 4, 0.2)),
      Model(KernelRegressor{reference::plain_machine(6, 40, 4, 0.2), 0.1}),
      reference::three_classes(7, 4),
      reference::plain_neighbors(6, 60, 4, 2, 5),
      reference::plain_neighbors(6, 60, 4, 3, 4),
      Model(OutlierDetector(normal_rows(3, 50, 4), 3, OutlierDetector::Score::kth_distance, 1.0))};
}

/// The gradient term with the exact gradient: kappa 0 for ranked pools.
Explainer gradient_term(const Model& model, Unit unit) {
  EtaRule rule;
  rule.eta = 0.0;
  if (model.kernel() == nullptr) rule.responsibilities.kappa = 0;
  ExplainOptions options;
  options.unit = unit;
  return Explainer(model, rule, options);
}

std::vector<Model::ClassPair> pairs_of(const Explanation& explained, std::size_t rows) {
  std::vector<Model::ClassPair> pairs(rows, {0, 1});
  for (std::size_t r = 0; r < explained.positive.size(); ++r)
    pairs[r] = {explained.positive[r], explained.negative[r]};
  return pairs;
}

TEST(NetworkRelevance, GradientsAreThoseOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  const Matrix rows = normal_rows(4, 20, 4);
  for (const Model& model : models()) {
    const Explainer explainer = gradient_term(model, Unit::g);
    const Explanation explained = explainer(rows);
    const auto pairs = pairs_of(explained, rows.rows());
    const ContrastGradients found = explainer.gradients(rows, pairs);
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      Matrix above = rows, below = rows;
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        above(r, d) += kStep;
        below(r, d) -= kStep;
      }
      const auto g_above = explainer.gradients(above, pairs).g;
      const auto g_below = explainer.gradients(below, pairs).g;
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        EXPECT_EQ(found.g[r], explained.g[r]);
        EXPECT_NEAR(found.gradient(r, d), (g_above[r] - g_below[r]) / (2.0 * kStep), 1e-4);
      }
    }
  }
}

TEST(NetworkRelevance, TotalsAddUpInEveryUnit) {
  const Matrix rows = normal_rows(4, 20, 4), relevance = normal_rows(5, 20, 7);
  for (const Model& model : models()) {
    for (const Unit unit : {Unit::g, Unit::decision, Unit::share}) {
      for (const bool is_path : {true, false}) {
        const Explanation e =
            gradient_term(model, unit)
                .complete(rows, {relevance, Matrix(), std::vector<double>(20, 0.3), is_path});
        for (std::size_t r = 0; r < rows.rows(); ++r) {
          const auto values = e.relevance.row(r);
          const double sum = std::accumulate(values.begin(), values.end(), 0.0);
          EXPECT_NEAR(e.base[r] + sum + e.remainder[r], e.output[r], 1e-9 * (1.0 + std::abs(sum)));
        }
      }
    }
  }
}

TEST(NetworkRelevance, WrongShapesAreRefused) {
  const Model model = reference::plain_neighbors(6, 60, 4, 3, 4);
  const Explainer explainer = gradient_term(model, Unit::g);
  const Matrix rows = normal_rows(4, 2, 4);
  const std::vector<Model::ClassPair> one{{0, 1}}, unknown{{0, 1}, {0, 3}}, same{{0, 1}, {1, 1}};
  EXPECT_THROW(explainer.gradients(rows, one), InvalidInput);
  EXPECT_THROW(explainer.gradients(rows, unknown), InvalidInput);
  EXPECT_THROW(explainer.gradients(rows, same), InvalidInput);
  EXPECT_THROW(explainer.complete(rows, {Matrix(1, 5), Matrix(), {0.0, 0.0}}), InvalidInput);
  EXPECT_THROW(explainer.complete(rows, {Matrix(2, 5), Matrix(2, 4), {0.0, 0.0}}), InvalidInput);
}

}  // namespace
}  // namespace bisector
