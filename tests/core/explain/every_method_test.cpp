// Every method against the definitions on the pair of classes it explains.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/error_of.h"
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

ExplainedOutput output_of(const Method& method) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.output; }) return own.output;
        return ExplainedOutput::f;
      },
      method);
}

Method with_output(Method method, ExplainedOutput output) {
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.output; }) own.output = output;
      },
      method);
  return method;
}

/// The function that explains row r of an explanation: f of its pair, or g.
Function target_of(const Model& model, const Explanation& e, std::size_t r,
                   ExplainedOutput output) {
  ExplainOptions pair;
  if (!model.is_regressor()) {
    pair.positive_class = model.labels()[e.positive[r]];
    pair.versus = model.labels()[e.negative[r]];
  }
  const bool ranked = !e.tie.empty() && std::holds_alternative<NeighborModel>(model.predictor());
  return [&model, pair, output, ranked](const Vector& x) {
    const Explanation at = explain(model, {x.data(), 1, x.size()}, EtaRule{}, pair);
    if (output == ExplainedOutput::g) return at.g[0];
    if (output == ExplainedOutput::votes) return at.decision[0];
    if (ranked) return at.prediction[0] == at.positive[0] ? 1.0 : -1.0;
    return at.decision[0];
  };
}

/// The definition of a method, with gradients by finite differences.
class Definition {
 public:
  Definition(const Function& f, const Vector& x, const Vector& r, std::size_t row_number)
      : f_(f), x_(x), r_(r), row_number_(row_number) {}

  Vector operator()(const GradientTimesInput&) const {
    return reference::gradient_times_input(gradient(), x_, r_);
  }
  Vector operator()(const IntegratedGradients& method) const {
    return reference::integrated_gradients(gradient(), x_, r_, method.steps);
  }
  Vector operator()(const Sensitivity&) const { return reference::sensitivity(f_, gradient(), x_); }
  Vector operator()(const Occlusion&) const { return reference::occlusion(f_, x_, r_); }
  Vector operator()(const SampledShapley& method) const {
    return reference::sampled_shapley(f_, x_, r_, method.sequences, method.seed, row_number_);
  }
  Vector operator()(const ExactShapley&) const {
    return reference::subset_shapley(f_, x_, r_).value;
  }
  template <class Rule>
  Vector operator()(const Rule&) const {
    throw InvalidInput("a rule, expected a baseline");
  }

 private:
  std::function<Vector(const Vector&)> gradient() const {
    return [this](const Vector& at) { return reference::numerical_gradient(f_, at, 1e-5); };
  }
  const Function& f_;
  const Vector &x_, &r_;
  std::size_t row_number_;
};

void expect_by_definition(const Model& model, const Method& method,
                          const ExplainOptions& options = {}) {
  const Matrix rows = normal_rows(31, 6, model.features());
  const Explainer explainer(model, method, options);
  const Explanation explanation = explainer(rows, 100);
  const Vector& reference = explainer.settings().reference;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Function f = target_of(model, explanation, r, output_of(method));
    const Vector x = reference::to_vector(rows.row(r));
    const Vector expected = std::visit(Definition(f, x, reference, 100 + r), method);
    for (std::size_t d = 0; d < expected.size(); ++d)
      EXPECT_NEAR(explanation.relevance(r, d), expected[d], 2e-6 * (1.0 + std::abs(expected[d])))
          << name(method) << (output_of(method) == ExplainedOutput::g ? " on g" : " on f")
          << ", row " << r << ", feature " << d;
  }
}

const std::vector<Method> kBaselines{GradientTimesInput{}, IntegratedGradients{}, Sensitivity{},
                                     Occlusion{}, SampledShapley{.seed = 3}};

TEST(EveryMethod, KernelMachinesByEveryDefinition) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  for (const Model& model :
       {reference::plain_classifier(machine), reference::plain_classifier(machine, kScaling),
        reference::plain_classifier(machine, mixing_map()), reference::three_classes(5, 4),
        Model(KernelRegressor{machine, 0.1}), Model(OneClassMachine{machine})}) {
    for (const Method& method : kBaselines) {
      for (const ExplainedOutput output : {ExplainedOutput::f, ExplainedOutput::g})
        expect_by_definition(model, with_output(method, output));
    }
  }
}

TEST(EveryMethod, NeighborsByOcclusionAndShapley) {
  for (const std::size_t classes : {2, 3}) {
    const Model model = reference::plain_neighbors(8, 80, 4, classes, 5);
    for (const ExplainedOutput output :
         {ExplainedOutput::f, ExplainedOutput::g, ExplainedOutput::votes}) {
      expect_by_definition(model, Occlusion{output});
      expect_by_definition(model, with_output(SampledShapley{}, output));
    }
  }
}

TEST(EveryMethod, ExactShapleyIsThatOfTheInputs) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  for (const Model& model :
       {reference::plain_classifier(machine), reference::plain_classifier(machine, kScaling),
        reference::three_classes(5, 4), Model(KernelRegressor{machine, 0.1})})
    expect_by_definition(model, ExactShapley{});
}

TEST(EveryMethod, ExactShapleyIsAveragedOverTheBackground) {
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  const Matrix rows = normal_rows(31, 3, 4), background = normal_rows(32, 5, 4);
  for (const Model& model :
       {reference::plain_classifier(machine, kScaling), Model(KernelRegressor{machine, 0.1})}) {
    ExplainOptions options;
    options.background = background;
    const Explanation explanation = explain(model, rows.view(), ExactShapley{}, options);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Function f = target_of(model, explanation, r, ExplainedOutput::f);
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

TEST(EveryMethod, AReferenceGoesBeforeTheBackgroundOfExactShapley) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  ExplainOptions options;
  options.background = normal_rows(32, 5, 4);
  options.reference = {Reference::Kind::origin, {}};
  expect_by_definition(model, ExactShapley{}, options);
}

TEST(EveryMethod, SampledShapleyNearsTheExact) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 6, -0.2));
  const Matrix rows = normal_rows(1, 4, 6);
  const Matrix exact = explain(model, rows, ExactShapley{}).relevance;
  const auto error = [&](std::size_t sequences) {
    const Matrix sampled = explain(model, rows, SampledShapley{.sequences = sequences}).relevance;
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

TEST(EveryMethod, GradientTimesInputOnGIsTheRuleAtEtaZero) {
  const Matrix rows = normal_rows(1, 80, 5);
  const Model model =
      reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2), mixing_map());
  const Matrix gradient = explain(model, rows, GradientTimesInput{ExplainedOutput::g}).relevance;
  const Matrix rule = explain(model, rows, EtaRule{.eta = 0.0}).relevance;
  for (std::size_t i = 0; i < rule.values().size(); ++i)
    EXPECT_NEAR(gradient.values()[i], rule.values()[i], 1e-11);
}

TEST(EveryMethod, AllButTheRelevanceIsTheSameForEveryMethod) {
  const Matrix rows = normal_rows(1, 30, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 80, 4, 3, 4),
        Model(KernelRegressor{reference::plain_machine(4, 20, 4, -0.2), 0.1})}) {
    const Explanation expected = explain(model, rows, EtaRule{});
    for (const Method& method : std::vector<Method>{PathRule{}, Occlusion{}, SampledShapley{}}) {
      const Explanation actual = explain(model, rows, method);
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

TEST(EveryMethod, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Matrix rows = normal_rows(1, 150, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 80, 4, 3, 5)}) {
    for (const Method& method : all_methods()) {
      const bool kernel = std::holds_alternative<KernelClassifier>(model.predictor());
      if (!kernel && method != Method(Occlusion{}) && method != Method(SampledShapley{})) continue;
      ExplainOptions one, three;
      one.threads = 1;
      three.threads = 3;
      const Matrix whole = explain(model, rows, method, one).relevance;
      const Explainer explainer(model, method, three);
      EXPECT_EQ(explainer(rows).relevance, whole) << name(method);
      const Matrix tail = explainer(rows.view().rows(67, 83), 67).relevance;
      for (std::size_t r = 0; r < 83; ++r) {
        for (std::size_t d = 0; d < 4; ++d) ASSERT_EQ(tail(r, d), whole(67 + r, d)) << name(method);
      }
    }
  }
}

TEST(EveryMethod, SinglePrecisionStaysNear) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 20, 4);
  for (const Method& method : all_methods()) {
    ExplainOptions single;
    single.precision = Precision::float32;
    const Matrix coarse = explain(model, rows, method, single).relevance;
    const Matrix fine = explain(model, rows, method).relevance;
    for (std::size_t i = 0; i < fine.values().size(); ++i)
      EXPECT_NEAR(coarse.values()[i], fine.values()[i], 1e-4) << name(method);
  }
}

void expect_refused(const Model& model, const Method& method, const std::string& words) {
  const std::string message = error_of([&] { Explainer(model, method); });
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(EveryMethod, IsRefusedWhereTheModelHasNoUseForIt) {
  const Model neighbors = reference::plain_neighbors(8, 80, 4, 2, 5);
  expect_refused(neighbors, GradientTimesInput{}, "gradient x input is not defined for KNN");
  expect_refused(neighbors, IntegratedGradients{}, "use lrp, occlusion or shapley");
  expect_refused(neighbors, Sensitivity{}, "sensitivity is not defined for KNN");
  expect_refused(neighbors, ExactShapley{}, "needs a Gaussian kernel");
  const Model centroids(CentroidModel(Matrix(2, 1, {0.0, 1.0}), {"a", "b"}));
  expect_refused(centroids, GradientTimesInput{}, "not defined for nearest centroids");
  expect_refused(centroids, Occlusion{ExplainedOutput::votes}, "only cast by neighbors");
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  expect_refused(reference::plain_classifier(machine), Occlusion{ExplainedOutput::votes},
                 "votes are only cast by neighbors");
  expect_refused(reference::plain_classifier(machine, mixing_map()), ExactShapley{},
                 "not exact behind a matrix");
}

TEST(EveryMethod, IsRefusedWithNoneOfWhatItCounts) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  expect_refused(model, IntegratedGradients{.steps = 0}, "0 steps");
  expect_refused(model, SampledShapley{.sequences = 0}, "0 sequences");
  expect_refused(model, PathRule{.steps = 0}, "0 steps of the path");
}

// rows x sequences x features would wrap around.
TEST(EveryMethod, RefusesMoreEvaluationsThanCanBeCounted) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 4, 4);
  for (const std::size_t many : {std::size_t{1} << 62, (std::size_t{1} << 62) + 1}) {
    for (const Method& method :
         std::vector<Method>{SampledShapley{.sequences = many}, IntegratedGradients{.steps = many}})
      EXPECT_NE(error_of([&] { explain(model, rows, method); }).find("expected fewer"),
                std::string::npos)
          << name(method);
  }
}

TEST(EveryMethod, EvidenceBelongsToTheRules) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 1, 4);
  EXPECT_EQ(Explainer(model, EtaRule{.eta = 0.3}).evidence(rows.row(0), 3)[0].relevance,
            Explainer(model, PathRule{.eta = 0.3}).evidence(rows.row(0), 3)[0].relevance);
  EXPECT_THROW(Explainer(model, Occlusion{}).evidence(rows.row(0), 3), InvalidInput);
  EXPECT_EQ(Explainer(model, Occlusion{}).network(rows.row(0)).g,
            Explainer(model, EtaRule{}).network(rows.row(0)).g);
}

}  // namespace
}  // namespace bisector
