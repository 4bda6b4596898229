// A model that went through numbers explains exactly as before.
#include "report/page/packed_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bisector/error.h"
#include "bisector/random.h"
#include "reference/random_distances.h"
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
  return KernelMachine(reference::random_matrix(random, 12, 3), coefficients, Kernel(0.6), -0.2);
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
  return {Model(KernelClassifier::two_class(machine(1), "yes", "no"), scaled),
          Model(KernelRegressor{machine(2), 0.3}, mixed),
          Model(OneClassMachine{
              KernelMachine(random_rows(3, 6, 3), {1, 1, 1, 1, 1, 1}, Kernel(0.5), -2.0)}),
          Model(neighbors(), scaled), Model(CentroidModel(random_rows(4, 3, 3), {"x", "y", "z"}))};
}

/// Kernels, votes and detectors of every distance that has gradients; categories have rules of
/// their own.
std::vector<Model> models_of_distances() {
  std::vector<Model> all;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Random random(seed);
    const Distance distance = reference::random_distance(random, seed % 4, 3);
    const auto drawn = reference::random_kernel_machine(seed, distance, 3, 1);
    all.emplace_back(KernelRegressor{drawn.machine, 0.3});
    all.emplace_back(KernelClassifier::one_vs_rest(
        drawn.machine.points(), random_rows(seed, 3, drawn.machine.points().rows()),
        {0.1, 0.2, 0.3}, drawn.machine.kernel(), {"a", "b", "c"}));
    auto voters = reference::random_voters(12 * seed + seed % 4);
    voters.vote.radius.reset();
    all.emplace_back(reference::random_weighted_neighbors(voters, 3));
    all.emplace_back(reference::random_neighbor_regressor(voters, seed));
    all.emplace_back(reference::random_detector(voters, seed));
  }
  return all;
}

/// Every rule, with parameters that are not its defaults.
std::vector<Method> rules() {
  constexpr std::uint64_t kSeed = 0xfedcba9876543210u;  // more digits than a double has
  return {EtaRule{.eta = 0.4},
          PathRule{.steps = 3},
          PathRule{.eta = 0.3, .neighborhood = 0.5},
          ExpectedPathRule{.references = 7, .seed = kSeed},
          ExpectedPathRule{.side = ReferenceSide::other, .seed = 5, .neighborhood = 0.25},
          NeighborhoodRule{.seed = kSeed},
          Auto{View::data}};
}

void expect_same(const Explanation& expected, const Explanation& found) {
  EXPECT_EQ(expected.relevance, found.relevance);
  EXPECT_EQ(expected.g, found.g);
  EXPECT_EQ(expected.decision, found.decision);
  EXPECT_EQ(expected.value, found.value);
  EXPECT_EQ(expected.prediction, found.prediction);
  EXPECT_EQ(expected.positive, found.positive);
  EXPECT_EQ(expected.tie, found.tie);
  EXPECT_EQ(expected.base, found.base);
  EXPECT_EQ(expected.remainder, found.remainder);
  EXPECT_EQ(expected.outside, found.outside);
}

Explainer through_numbers(const Model& model, const Explainer& explainer,
                          const ExplainOptions& options) {
  const PackedExplainer packed = unpack(pack(model, explainer, options));
  return Explainer(packed.model, packed.method, packed.options);
}

TEST(PackedModel, ExplainsAsTheModelItCameFrom) {
  for (const Model& model : models()) {
    for (const Method& rule : rules()) {
      for (const bool has_background : {false, true}) {
        SCOPED_TRACE(fmt::format("model {}, {}, background {}", model.predictor().index(),
                                 name(rule), has_background));
        ExplainOptions options;
        options.unit = Unit::decision;
        if (has_background) options.background = random_rows(6, 40, model.features());
        const Explainer before(model, rule, options);
        const Explainer after = through_numbers(model, before, options);
        EXPECT_EQ(before.settings().side, after.settings().side);
        const Matrix rows = random_rows(7, 20, model.features());
        expect_same(before(rows), after(rows));
      }
    }
  }
}

TEST(PackedModel, ExplainsEveryDistanceAsTheModelItCameFrom) {
  for (const Model& model : models_of_distances()) {
    for (const Method& rule : std::vector<Method>{Auto{}, EtaRule{}, NeighborhoodRule{}}) {
      SCOPED_TRACE(fmt::format("model {}, {}", model.predictor().index(), name(rule)));
      const Explainer before(model, rule);
      const Explainer after = through_numbers(model, before, {});
      const Matrix rows = random_rows(7, 10, model.features());
      expect_same(before(rows), after(rows));
    }
  }
}

TEST(PackedModel, KeepsCategories) {
  const Distance gower(1.0, {1.0, 0.0, 0.5});
  const Model model(
      OutlierDetector(random_rows(5, 30, 3), 4, OutlierDetector::Score::mean_distance, 1.0, gower));
  const Explainer before(model);
  EXPECT_EQ(unpack(pack(model, before, {})).model, model);
}

// The draw of the references is among all rows, the page's as well as the library's.
TEST(PackedModel, DrawsTheSameOfABackgroundThatIsLarge) {
  const Model model(neighbors());
  ExplainOptions options;
  options.background = random_rows(10, 2500, 3);
  const ExpectedPathRule rule{.neighborhood = 0.5};
  const Explainer before(model, rule, options);
  const Matrix rows = random_rows(11, 10, 3);
  expect_same(before(rows), through_numbers(model, before, options)(rows));
  options.background = random_rows(12, 2500, 3);
  EXPECT_NE(before(rows).relevance, Explainer(model, rule, options)(rows).relevance);
}

TEST(PackedModel, KeepsUnitsAndTheClassesThatWereAskedFor) {
  const Model model(neighbors());
  ExplainOptions options;
  options.positive_class = "c";
  options.versus = "a";
  for (const Unit unit : {Unit::g, Unit::decision, Unit::share}) {
    options.unit = unit;
    const Explainer before(model, EtaRule{}, options);
    const Explainer after = through_numbers(model, before, options);
    EXPECT_EQ(after.settings().unit, unit);
    const Explanation found = after(random_rows(8, 5, 3));
    for (std::size_t r = 0; r < 5; ++r) {
      EXPECT_EQ(found.positive[r], 2u);
      EXPECT_EQ(found.negative[r], 0u);
    }
  }
}

// What auto takes for regressors with a narrow kernel.
TEST(PackedModel, KeepsShapleyValuesOverReferences) {
  constexpr std::uint64_t kSeed = 0xfedcba9876543210u;
  const Model model(KernelRegressor{machine(2), 0.3}, AffineMap({1, 2, 3}, {1.0, 2.0, 0.5}));
  for (const double share : {0.0, 0.5}) {
    for (const bool has_background : {false, true}) {
      ExplainOptions options;
      options.unit = Unit::decision;
      if (has_background) options.background = random_rows(6, 1500, 3);
      const ExactShapley shapley{.references = 9, .seed = kSeed, .neighborhood = share};
      const Explainer before(model, shapley, options);
      const Matrix rows = random_rows(7, 20, 3);
      expect_same(before(rows), through_numbers(model, before, options)(rows));
    }
  }
}

// What auto takes for kernels of the dot product.
TEST(PackedModel, KeepsThePathOnF) {
  for (const KernelTerm& term :
       {KernelTerm{KernelForm::polynomial, 0.7, 3.0, 1.0, 0.5}, KernelTerm{KernelForm::polynomial},
        KernelTerm{KernelForm::sigmoid, 0.2, 1.0, 1.0, -0.1}}) {
    const KernelMachine gaussian = machine(2);
    const Model model(KernelRegressor{
        KernelMachine(gaussian.shared_points(), gaussian.coefficients(), Kernel(term), 0.1), 0.3});
    ExplainOptions options;
    options.unit = Unit::decision;
    const Explainer before(model, Auto{}, options);
    const Matrix rows = random_rows(7, 20, 3);
    expect_same(before(rows), through_numbers(model, before, options)(rows));
  }
}

TEST(PackedModel, TakesRulesAndFewBaselines) {
  const Model model = models()[0];
  EXPECT_THROW(pack(model, Explainer(model, Occlusion{}), {}), InvalidInput);
  EXPECT_THROW(pack(model, Explainer(model, IntegratedGradients{}), {}), InvalidInput);
  EXPECT_THROW(rule_of(ExactShapley{}, model), InvalidInput);
  EXPECT_EQ(std::get<PathRule>(rule_of(PathRule{.steps = 3}, model)).steps, 3u);
}

TEST(PackedModel, RefusesNumbersThatItDidNotMake) {
  const Model model = models()[0];
  const std::vector<double> good = pack(model, Explainer(model, ExpectedPathRule{}), {});
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(unpack(std::span(good).first(length)), InvalidInput) << length;
  std::vector<double> longer = good;
  longer.push_back(0.0);
  EXPECT_THROW(unpack(longer), InvalidModel);
  std::vector<double> huge = good;
  huge[3] = 1e14;  // rows of the points
  EXPECT_THROW(unpack(huge), InvalidModel);
}

}  // namespace
}  // namespace bisector::report
