// The path rule against its definition, and its properties.
#include "reference/path_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/explain/resolve.h"
#include "reference/in_g.h"

namespace bisector {

using namespace detail;

namespace {

using reference::normal_rows;
using reference::Vector;

ExplainOptions given_reference(Vector point) {
  ExplainOptions options = in_g();
  options.reference = {Reference::Kind::given, std::move(point)};
  return options;
}

TEST(PathRule, OfKernelMachinesIsItsDefinition) {
  for (const double intercept : {-0.4, 0.0, 0.3}) {
    for (const double stiffer : {1.0, 2.5}) {
      const KernelMachine machine = reference::plain_machine(3, 20, 5, intercept);
      const Matrix rows = normal_rows(8, 70, 5);
      const Vector r = {0.1, -0.3, 0.5, 0.0, 1.0};
      const double beta = stiffer * machine.gamma();
      const Explanation explanation =
          explain(reference::plain_classifier(machine), rows,
                  PathRule{.eta = 0.35, .steps = 4, .responsibilities = {.beta = beta}},
                  given_reference(r));
      for (std::size_t n = 0; n < rows.rows(); ++n) {
        const Vector expected = reference::corrected(
            reference::path_rule(
                [&](const Vector& x) { return reference::soft_pools(machine, beta, x); },
                reference::to_vector(rows.row(n)), reference::steps_from(r, 4), 0.35),
            explanation.g[n] - explanation.base[n]);
        for (std::size_t d = 0; d < 5; ++d)
          EXPECT_NEAR(explanation.relevance(n, d), expected[d], 1e-11);
      }
    }
  }
}

TEST(PathRule, OfNeighborsIsItsDefinition) {
  for (const std::size_t classes : {2, 3}) {
    for (const std::size_t k : {1, 5, 6}) {
      const Model model = reference::plain_neighbors(k, 90, 4, classes, k);
      const auto& neighbors = std::get<NeighborModel>(model.predictor());
      const Matrix rows = normal_rows(9, 70, 4);
      const Vector r = {0.1, -0.3, 0.5, 0.2};
      const Explainer explainer(model, PathRule{.eta = 0.6, .steps = 3}, given_reference(r));
      const Explanation explanation = explainer(rows);
      for (std::size_t n = 0; n < rows.rows(); ++n) {
        const Vector expected = reference::corrected(
            reference::path_rule(
                [&](const Vector& x) {
                  return reference::ranked_pools(neighbors, explanation.positive[n],
                                                 explanation.negative[n],
                                                 *explainer.settings().kappa, x);
                },
                reference::to_vector(rows.row(n)), reference::steps_from(r, 3), 0.6),
            explanation.g[n] - explanation.base[n]);
        for (std::size_t d = 0; d < 4; ++d)
          ASSERT_NEAR(explanation.relevance(n, d), expected[d], 1e-12) << "row " << n;
      }
    }
  }
}

TEST(PathRule, AtEtaOneIsTheMidpointRule) {
  const Matrix rows = normal_rows(4, 10, 5);
  for (const Model& model :
       {reference::plain_classifier(reference::plain_machine(5, 20, 5, 0.2)),
        reference::plain_neighbors(6, 50, 5, 3, 5), reference::three_classes(7, 5)}) {
    const Explanation path = explain(model, rows, PathRule{.eta = 1.0}, in_g());
    const Matrix midpoint = explain(model, rows, EtaRule{.eta = 1.0}, in_g()).relevance;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Vector expected =
          reference::corrected(reference::to_vector(midpoint.row(r)), path.g[r] - path.base[r]);
      for (std::size_t d = 0; d < 5; ++d) EXPECT_NEAR(path.relevance(r, d), expected[d], 1e-12);
    }
  }
}

AffineMap mixing_map() {
  Random random(12);
  return AffineMap({0.3, -0.1, 0.2, 0.0, 0.5, 1.0}, {0.5, 2.0, 1.0, 1.5, 0.7, 1.0},
                   reference::normal_matrix(random, 4, 6), {0.1, 0.2, -0.1, 0.0});
}

TEST(PathRule, FirstHalfSumsToTheRiseOfGAsTheStepsGrow) {
  for (const double intercept : {-0.4, 0.0, 0.3}) {
    const KernelMachine machine = reference::plain_machine(14, 16, 4, intercept);
    const AffineMap scaling({0.3, -0.1, 0.2, 0.0}, {0.5, 2.0, 1.0, 1.5});
    for (const AffineMap& input : {AffineMap(), scaling, mixing_map()}) {
      const Model model = reference::plain_classifier(machine, input);
      const Matrix rows = normal_rows(3, 5, model.features());
      const Vector reference(model.features(), 0.25);
      const ExplainOptions options = given_reference(reference);
      const double at_reference =
          explain(model, {reference.data(), 1, reference.size()}, EtaRule{}, in_g()).g.front();
      const auto error = [&](std::size_t steps, std::size_t r) {
        const Explanation e = explain(model, rows, PathRule{.eta = 0.0, .steps = steps}, options);
        EXPECT_NEAR(e.base[r], at_reference, 1e-12);
        return std::abs(e.correction[r]) + std::abs(e.remainder[r]);
      };
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        EXPECT_LT(error(1000, r), 1e-4);
        EXPECT_LT(error(1000, r), error(10, r) / 1000.0 + 1e-9);
      }
    }
  }
}

// E_path is (1 - eta) times its own first half plus eta E_1, behind a matrix as anywhere.
TEST(PathRule, BehindAMatrixMixesItsTwoHalves) {
  const Model model =
      reference::plain_classifier(reference::plain_machine(2, 16, 4, 0.3), mixing_map());
  const Matrix rows = normal_rows(5, 7, 6);
  const auto uncorrected = [&](double eta) {
    const Explanation e = explain(model, rows, PathRule{.eta = eta}, in_g());
    Matrix relevance = e.relevance;
    for (std::size_t r = 0; r < 7; ++r) {
      // The correction is c times the size before it, and positive values grew by 1 + c.
      double positive = 0.0, negative = 0.0;
      for (const double value : relevance.row(r)) (value > 0.0 ? positive : negative) += value;
      double low = -0.9, high = 0.9;
      for (int i = 0; i < 60; ++i) {
        const double c = 0.5 * (low + high);
        (c * (positive / (1.0 + c) - negative / (1.0 - c)) < e.correction[r] ? low : high) = c;
      }
      for (double& value : relevance.row(r)) value /= value > 0.0 ? 1.0 + low : 1.0 - low;
    }
    return relevance;
  };
  const Matrix first = uncorrected(0.0), mixed = uncorrected(0.3);
  const Matrix second = explain(model, rows, EtaRule{.eta = 1.0}, in_g()).relevance;
  for (std::size_t r = 0; r < 7; ++r) {
    for (std::size_t d = 0; d < 6; ++d)
      EXPECT_NEAR(mixed(r, d), 0.7 * first(r, d) + 0.3 * second(r, d), 1e-9);
  }
}

TEST(PathRule, OfScaledFeaturesIsThatOfTheFeatures) {
  const KernelMachine machine = reference::plain_machine(2, 16, 4, 0.3);
  const AffineMap scaling({0.3, -0.1, 0.2, 0.0}, {0.5, 2.0, 1.0, 1.5});
  const Matrix rows = normal_rows(5, 7, 4);
  Matrix scaled(7, 4);
  for (std::size_t r = 0; r < 7; ++r) scaling.apply(rows.row(r), scaled.row(r));
  const Matrix inside =
      explain(reference::plain_classifier(machine, scaling), rows, PathRule{}, in_g()).relevance;
  const Matrix outside =
      explain(reference::plain_classifier(machine), scaled, PathRule{}, in_g()).relevance;
  for (std::size_t r = 0; r < 7; ++r) {
    for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(inside(r, d), outside(r, d), 1e-11);
  }
}

TEST(PathRule, ChangesOnlyTheRelevance) {
  const Matrix rows = normal_rows(5, 40, 4);
  for (const Model& model :
       {reference::three_classes(7, 4), reference::plain_neighbors(6, 50, 4, 3, 4)}) {
    const Explanation path = explain(model, rows, PathRule{}, in_g()),
                      plain = explain(model, rows, EtaRule{}, in_g());
    EXPECT_EQ(path.g, plain.g);
    EXPECT_EQ(path.decision, plain.decision);
    EXPECT_EQ(path.prediction, plain.prediction);
    EXPECT_EQ(path.positive, plain.positive);
    EXPECT_EQ(path.negative, plain.negative);
    EXPECT_EQ(path.tie, plain.tie);
  }
}

TEST(PathRule, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Matrix rows = normal_rows(5, 200, 4);
  for (const Model& model :
       {reference::plain_classifier(reference::plain_machine(5, 300, 4, 0.2)),
        reference::three_classes(7, 4), reference::plain_neighbors(6, 50, 4, 3, 4)}) {
    ExplainOptions one = in_g(), three = in_g();
    one.threads = 1;
    three.threads = 3;
    const Matrix whole = explain(model, rows, PathRule{}, one).relevance;
    const Explainer explainer(model, PathRule{}, three);
    EXPECT_EQ(explainer(rows).relevance, whole);
    const Matrix tail = explainer(rows.view().rows(77, 123)).relevance;
    for (std::size_t r = 0; r < 123; ++r) {
      for (std::size_t d = 0; d < 4; ++d) ASSERT_EQ(tail(r, d), whole(77 + r, d));
    }
  }
}

TEST(PathRule, SaysWhatItResolvedTo) {
  const Model model = reference::plain_neighbors(6, 50, 4, 2, 5);
  const Explainer explainer(model, PathRule{.steps = 7}, in_g());
  EXPECT_EQ(explainer.settings().parameters.at("path_steps"), ParameterValue(7));
  EXPECT_EQ(explainer.settings().eta, kNeighborPathEta);
  EXPECT_EQ(Explainer(model, PathRule{.eta = 0.9}, in_g()).settings().eta, 0.9);
  EXPECT_FALSE(Explainer(model, EtaRule{}, in_g()).settings().parameters.contains("path_steps"));
  EXPECT_THROW(Explainer(model, PathRule{.steps = 0}, in_g()), InvalidInput);
}

}  // namespace
}  // namespace bisector
