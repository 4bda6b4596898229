// A model that went through numbers explains exactly as before.
#include "report/page/packed_model.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector::report {

using namespace report;

namespace {

Matrix random_rows(std::uint64_t seed, std::size_t rows, std::size_t columns) {
  Random random(seed);
  return reference::random_matrix(random, rows, columns);
}

KernelMachine machine(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < 12; ++n)
    coefficients.push_back(n % 2 == 0 ? 1.0 + random.uniform() : -1.0);
  return KernelMachine(reference::random_matrix(random, 12, 3), coefficients, 0.6, -0.2);
}

NeighborModel neighbors() {
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < 30; ++n) classes.push_back(n % 3);
  return NeighborModel(random_rows(5, 30, 3), classes, {"a", "b", "c"}, 4);
}

/// Every kind of predictor, some behind preprocessing.
std::vector<Model> models() {
  const AffineMap scaled({1.0, -2.0, 0.5}, {2.0, 0.25, 1.0});
  const AffineMap mixed({0.1, 0.2, 0.3, 0.4}, {1.0, 2.0, 1.0, 0.5}, random_rows(9, 3, 4),
                        {0.1, 0.0, -0.1});
  return {
      Model(KernelClassifier::two_class(machine(1), "yes", "no"), scaled),
      Model(KernelRegressor{machine(2), 0.3}, mixed),
      Model(OneClassMachine{KernelMachine(random_rows(3, 6, 3), {1, 1, 1, 1, 1, 1}, 0.5, -2.0)}),
      Model(neighbors(), scaled), Model(CentroidModel(random_rows(4, 3, 3), {"x", "y", "z"}))};
}

TEST(PackedModel, ExplainsAsTheModelItCameFrom) {
  for (const Model& model : models()) {
    SCOPED_TRACE(model.predictor().index());
    EtaRule rule;
    rule.eta = 0.4;
    const Explainer before(model, rule);
    const PackedExplainer packed = unpack(pack(model, rule, {}, before.settings()));
    const Explainer after(packed.model, packed.rule, packed.options);
    const Matrix rows = random_rows(7, 20, model.features());
    const Explanation expected = before(rows), found = after(rows);
    EXPECT_EQ(expected.relevance, found.relevance);
    EXPECT_EQ(expected.g, found.g);
    EXPECT_EQ(expected.decision, found.decision);
    EXPECT_EQ(expected.value, found.value);
    EXPECT_EQ(expected.prediction, found.prediction);
    EXPECT_EQ(expected.positive, found.positive);
    EXPECT_EQ(expected.tie, found.tie);
  }
}

TEST(PackedModel, KeepsTheClassesThatWereAskedFor) {
  const Model model(neighbors());
  ExplainOptions options;
  options.positive_class = "c";
  options.versus = "a";
  const Explainer before(model, EtaRule{}, options);
  const PackedExplainer packed = unpack(pack(model, {}, options, before.settings()));
  const Explanation found =
      Explainer(packed.model, packed.rule, packed.options)(random_rows(8, 5, 3));
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_EQ(found.positive[r], 2u);
    EXPECT_EQ(found.negative[r], 0u);
  }
}

TEST(PackedModel, RefusesNumbersThatItDidNotMake) {
  const Model model = models()[0];
  const Explainer explainer(model, EtaRule{});
  const std::vector<double> good = pack(model, {}, {}, explainer.settings());
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(unpack(std::span(good).first(length)), InvalidInput) << length;
  std::vector<double> longer = good;
  longer.push_back(0.0);
  EXPECT_THROW(unpack(longer), InvalidModel);
  std::vector<double> huge = good;
  huge[2] = 1e14;  // rows of the points
  EXPECT_THROW(unpack(huge), InvalidModel);
}

}  // namespace
}  // namespace bisector::report
