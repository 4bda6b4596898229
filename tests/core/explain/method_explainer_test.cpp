// Every method through the one front, against the definitions on the pair of classes it explains.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/methods.h"
#include "bisector/predict.h"
#include "reference/plain_machines.h"
#include "reference/subset_shapley.h"

namespace bisector {
namespace {

using reference::Function;
using reference::Vector;

const AffineMap kScaling({0.3, -0.1, 0.2, 0.0}, {0.5, 2.0, 1.0, 1.5});

AffineMap mixing_map() {
  Random random(12);
  return AffineMap({0.3, -0.1, 0.2, 0.0, 0.5}, {0.5, 2.0, 1.0, 1.5, 0.7},
                   reference::normal_matrix(random, 4, 5));
}

Matrix normal_rows(std::uint64_t seed, std::size_t rows, std::size_t features) {
  Random random(seed);
  return reference::normal_matrix(random, rows, features);
}

/// The function that explains row r of an explanation: f of its pair, or g.
Function target_of(const Model& model, const Explanation& e, std::size_t r, Explained on) {
  ExplainOptions pair;
  if (!model.is_regressor()) {
    pair.of_class = model.labels()[e.positive[r]];
    pair.versus = model.labels()[e.negative[r]];
  }
  const bool ranked = !e.tie.empty() && std::holds_alternative<NeighborModel>(model.predictor());
  return [&model, pair, on, ranked](const Vector& x) {
    const Explanation at = explain(model, {x.data(), 1, x.size()}, pair);
    if (on == Explained::g) return at.g[0];
    if (on == Explained::votes) return at.decision[0];
    if (ranked) return at.prediction[0] == at.positive[0] ? 1.0 : -1.0;
    return at.decision[0];
  };
}

/// The definition of a method, with gradients by finite differences.
Vector by_definition(Method method, const Function& f, const Vector& x, const Vector& r,
                     const MethodOptions& options, std::size_t row_number) {
  const auto gradient = [&](const Vector& at) {
    return reference::numerical_gradient(f, at, 1e-5);
  };
  switch (method) {
    case Method::gradient_times_input:
      return reference::gradient_times_input(gradient, x, r);
    case Method::integrated_gradients:
      return reference::integrated_gradients(gradient, x, r, options.steps);
    case Method::sensitivity:
      return reference::sensitivity(f, gradient, x);
    case Method::occlusion:
      return reference::occlusion(f, x, r);
    case Method::shapley_sampling:
      return reference::shapley_sampling(f, x, r, options.sequences, options.seed, row_number);
    default:
      return reference::subset_shapley(f, x, r).value;
  }
}

void expect_by_definition(const Model& model, Method method, const MethodOptions& options) {
  const Matrix rows = normal_rows(31, 6, model.features());
  const MethodExplainer explainer(model, method, options);
  const Explanation explanation = explainer(rows, 100);
  const Vector& reference = explainer.settings().reference;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector expected =
        by_definition(method, target_of(model, explanation, r, options.on),
                      reference::to_vector(rows.row(r)), reference, options, 100 + r);
    for (std::size_t d = 0; d < expected.size(); ++d)
      EXPECT_NEAR(explanation.relevance(r, d), expected[d], 2e-6 * (1.0 + std::abs(expected[d])))
          << name(method) << (options.on == Explained::g ? " on g" : " on f") << ", row " << r
          << ", feature " << d;
  }
}

std::vector<Method> baselines() {
  return {Method::gradient_times_input, Method::integrated_gradients, Method::sensitivity,
          Method::occlusion, Method::shapley_sampling};
}

TEST(MethodExplainer, KernelMachinesByEveryDefinition) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  for (const Model& model :
       {reference::plain_classifier(machine), reference::plain_classifier(machine, kScaling),
        reference::plain_classifier(machine, mixing_map()), reference::three_classes(5, 4),
        Model(KernelRegressor{machine, 0.1}), Model(OneClassMachine{machine})}) {
    for (const Method method : baselines()) {
      for (const Explained on : {Explained::f, Explained::g}) {
        MethodOptions options;
        options.on = on;
        options.seed = 3;
        expect_by_definition(model, method, options);
      }
    }
  }
}

TEST(MethodExplainer, NeighborsByOcclusionAndShapley) {
  for (const std::size_t classes : {2, 3}) {
    for (const Method method : {Method::occlusion, Method::shapley_sampling}) {
      for (const Explained on : {Explained::f, Explained::g, Explained::votes}) {
        MethodOptions options;
        options.on = on;
        expect_by_definition(reference::plain_neighbors(8, 80, 4, classes, 5), method, options);
      }
    }
  }
}

TEST(MethodExplainer, ExactShapleyIsThatOfTheInputs) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  for (const Model& model :
       {reference::plain_classifier(machine), reference::plain_classifier(machine, kScaling),
        reference::three_classes(5, 4), Model(KernelRegressor{machine, 0.1})})
    expect_by_definition(model, Method::shapley_exact, {});
}

TEST(MethodExplainer, ExactShapleyIsAveragedOverTheBackground) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  const Matrix rows = normal_rows(31, 3, 4), background = normal_rows(32, 5, 4);
  for (const Model& model :
       {reference::plain_classifier(machine, kScaling), Model(KernelRegressor{machine, 0.1})}) {
    MethodOptions options;
    options.explain.background = background;
    const Explanation explanation =
        MethodExplainer(model, Method::shapley_exact, options)(rows.view());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Function f = target_of(model, explanation, r, Explained::f);
      Vector mean(4, 0.0);
      for (std::size_t b = 0; b < background.rows(); ++b) {
        const Vector value = reference::subset_shapley(f, reference::to_vector(rows.row(r)),
                                                       reference::to_vector(background.row(b)))
                                 .value;
        for (std::size_t d = 0; d < 4; ++d) mean[d] += value[d] / 5.0;
      }
      for (std::size_t d = 0; d < 4; ++d)
        EXPECT_NEAR(explanation.relevance(r, d), mean[d], 1e-12) << "row " << r;
    }
  }
}

TEST(MethodExplainer, AReferenceGoesBeforeTheBackgroundOfExactShapley) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  MethodOptions options;
  options.explain.background = normal_rows(32, 5, 4);
  options.explain.reference = {Reference::Kind::origin, {}};
  expect_by_definition(model, Method::shapley_exact, options);
}

TEST(MethodExplainer, SampledShapleyNearsTheExact) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 6, -0.2));
  const Matrix rows = normal_rows(1, 4, 6);
  const Matrix exact = MethodExplainer(model, Method::shapley_exact)(rows).relevance;
  const auto error = [&](std::size_t sequences) {
    MethodOptions options;
    options.sequences = sequences;
    const Matrix sampled =
        MethodExplainer(model, Method::shapley_sampling, options)(rows).relevance;
    double total = 0.0;
    for (std::size_t i = 0; i < exact.values().size(); ++i)
      total += std::pow(sampled.values()[i] - exact.values()[i], 2.0);
    return std::sqrt(total);
  };
  // The error falls as one over the square root: by ten for a hundred times the sequences, here
  // with a factor of two to spare for luck.
  EXPECT_LT(error(1000), error(10) / 5.0);
  EXPECT_LT(error(20000), error(200) / 5.0);
}

TEST(MethodExplainer, GradientTimesInputOnGIsTheRuleAtEtaZero) {
  const Matrix rows = normal_rows(1, 80, 5);
  const Model model =
      reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2), mixing_map());
  MethodOptions on_g, eta_zero;
  on_g.on = Explained::g;
  eta_zero.explain.eta = 0.0;
  const Matrix gradient =
      MethodExplainer(model, Method::gradient_times_input, on_g)(rows).relevance;
  const Matrix rule = MethodExplainer(model, Method::lrp, eta_zero)(rows).relevance;
  for (std::size_t i = 0; i < rule.values().size(); ++i)
    EXPECT_NEAR(gradient.values()[i], rule.values()[i], 1e-11);
}

TEST(MethodExplainer, RulesAreThoseOfTheExplainer) {
  const Model model = reference::three_classes(5, 4);
  const Matrix rows = normal_rows(1, 30, 4);
  MethodOptions options;
  options.path_steps = 3;
  EXPECT_EQ(MethodExplainer(model, Method::lrp, options)(rows).relevance,
            explain(model, rows).relevance);
  EXPECT_EQ(MethodExplainer(model, Method::lrp_path, options)(rows).relevance,
            Explainer(model, {}, PathRule{3})(rows).relevance);
}

TEST(MethodExplainer, AllButTheRelevanceIsTheSameForEveryMethod) {
  const Matrix rows = normal_rows(1, 30, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 80, 4, 3, 4),
        Model(KernelRegressor{reference::plain_machine(4, 20, 4, -0.2), 0.1})}) {
    const Explanation expected = explain(model, rows);
    for (const Method method : {Method::lrp_path, Method::occlusion, Method::shapley_sampling}) {
      const Explanation actual = MethodExplainer(model, method)(rows);
      EXPECT_EQ(actual.g, expected.g);
      EXPECT_EQ(actual.decision, expected.decision);
      EXPECT_EQ(actual.value, expected.value);
      EXPECT_EQ(actual.prediction, expected.prediction);
      EXPECT_EQ(actual.positive, expected.positive);
      EXPECT_EQ(actual.negative, expected.negative);
      EXPECT_EQ(actual.tie, expected.tie);
    }
  }
}

TEST(MethodExplainer, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Matrix rows = normal_rows(1, 150, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 80, 4, 3, 5)}) {
    for (const Method method : all_methods()) {
      const bool kernel = std::holds_alternative<KernelClassifier>(model.predictor());
      if (!kernel && method != Method::occlusion && method != Method::shapley_sampling) continue;
      MethodOptions one, three;
      one.explain.threads = 1;
      three.explain.threads = 3;
      const Matrix whole = MethodExplainer(model, method, one)(rows).relevance;
      const MethodExplainer explainer(model, method, three);
      EXPECT_EQ(explainer(rows).relevance, whole) << name(method);
      const Matrix tail = explainer(rows.view().rows(67, 83), 67).relevance;
      for (std::size_t r = 0; r < 83; ++r) {
        for (std::size_t d = 0; d < 4; ++d) ASSERT_EQ(tail(r, d), whole(67 + r, d)) << name(method);
      }
    }
  }
}

TEST(MethodExplainer, SinglePrecisionStaysNear) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 20, 4);
  for (const Method method : all_methods()) {
    MethodOptions single;
    single.explain.precision = Precision::f32;
    const Matrix coarse = MethodExplainer(model, method, single)(rows).relevance;
    const Matrix fine = MethodExplainer(model, method)(rows).relevance;
    for (std::size_t i = 0; i < fine.values().size(); ++i)
      EXPECT_NEAR(coarse.values()[i], fine.values()[i], 1e-4) << name(method);
  }
}

void expect_refused(const Model& model, Method method, const MethodOptions& options,
                    const std::string& words) {
  try {
    MethodExplainer explainer(model, method, options);
    FAIL() << "expected an error with: " << words;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(MethodExplainer, RefusesMethodsThatAreNotDefined) {
  const Model neighbors = reference::plain_neighbors(8, 80, 4, 2, 5);
  expect_refused(neighbors, Method::gradient_times_input, {},
                 "gradient x input is not defined for KNN");
  expect_refused(neighbors, Method::integrated_gradients, {}, "use lrp, occlusion or shapley");
  expect_refused(neighbors, Method::sensitivity, {}, "sensitivity is not defined for KNN");
  expect_refused(neighbors, Method::shapley_exact, {}, "needs a Gaussian kernel");
  const Model centroids(CentroidModel(Matrix(2, 1, {0.0, 1.0}), {"a", "b"}));
  expect_refused(centroids, Method::gradient_times_input, {}, "not defined for nearest centroids");
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  MethodOptions on_g;
  on_g.on = Explained::g;
  expect_refused(reference::plain_classifier(machine), Method::shapley_exact, on_g,
                 "not defined for g");
  MethodOptions votes;
  votes.on = Explained::votes;
  expect_refused(reference::plain_classifier(machine), Method::occlusion, votes,
                 "votes are only cast by neighbours");
  expect_refused(reference::plain_classifier(machine, mixing_map()), Method::shapley_exact, {},
                 "not exact behind a matrix");
}

TEST(MethodExplainer, RefusesOptionsThatTheMethodHasNoUseFor) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  MethodOptions options;
  options.explain.eta = 0.5;
  expect_refused(model, Method::occlusion, options, "eta was given with method occlusion");
  options = {};
  options.explain.beta = 0.5;
  expect_refused(model, Method::integrated_gradients, options, "beta was given with method ig");
  options = {};
  options.steps = 0;
  expect_refused(model, Method::integrated_gradients, options, "0 steps");
  options = {};
  options.sequences = 0;
  expect_refused(model, Method::shapley_sampling, options, "0 sequences");
  options = {};
  options.path_steps = 0;
  expect_refused(model, Method::lrp_path, options, "no steps");
}

}  // namespace
}  // namespace bisector
