// Every method compared with its definition, for every kind of model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/path_rule.h"
#include "reference/subset_shapley.h"

namespace bisector {
namespace {

using reference::Function;
using reference::normal_rows;
using reference::Vector;

const AffineMap kScaling({0.3, -0.1, 0.2, 0.0}, {0.5, 2.0, 1.0, 1.5});

AffineMap mixing_map() {
  Random random(12);
  return AffineMap({0.3, -0.1, 0.2, 0.0, 0.5}, {0.5, 2.0, 1.0, 1.5, 0.7},
                   reference::normal_matrix(random, 4, 5));
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
  ExplainOptions pair = in_g();
  if (!model.is_regressor()) {
    pair.positive_class = model.labels()[e.positive[r]];
    pair.versus = model.labels()[e.negative[r]];
  }
  return [&model, pair, output](const Vector& x) {
    const Method any = model.has_dot_product() ? Method(Occlusion{}) : Method(EtaRule{});
    const Explanation at = explain(model, {x.data(), 1, x.size()}, any, pair);
    if (output == ExplainedOutput::g) return at.g[0];
    if (output == ExplainedOutput::votes) return at.decision[0];
    if (output == ExplainedOutput::outcome) return at.prediction[0] == at.positive[0] ? 1.0 : -1.0;
    return at.decision[0];
  };
}

/// The relevance of a row by the definition of the method. Gradients of smooth outputs are finite
/// differences; the pools are those of the network at a point. There is no default case: a method
/// without a definition does not compile.
class Definition {
 public:
  Definition(const Model& model, const Explainer& explainer, const ExplainOptions& options,
             const Explanation& explanation, std::size_t row, const Vector& x,
             std::size_t row_number)
      : model_(model),
        settings_(explainer.settings()),
        explainer_(explainer),
        options_(options),
        explanation_(explanation),
        row_(row),
        x_(x),
        r_(settings_.reference),
        f_(target_of(model, explanation, row, output_of(explainer.method()))),
        g_(target_of(model, explanation, row, ExplainedOutput::g)),
        row_number_(row_number) {}

  Vector operator()(const Auto&) const { return std::visit(*this, explainer_.method()); }
  Vector operator()(const EtaRule&) const { return add_midpoint_term(path_gradient({{r_, 1.0}})); }
  Vector operator()(const PathRule& method) const {
    return corrected(add_midpoint_term(path_gradient(reference::steps_from(r_, method.steps))));
  }
  /// The test's background has one row several times, so that all paths start there.
  Vector operator()(const ExpectedPathRule& method) const {
    const Vector start = reference::to_vector(options_.background->row(0));
    return corrected(
        add_midpoint_term(path_gradient(reference::steps_from(start, method.references))));
  }
  Vector operator()(const NeighborhoodRule&) const {
    Vector result(x_.size(), 0.0);
    const bool has_classes = !model_.is_regressor();
    add_neighbors(has_classes ? explanation_.positive[row_] : 0, -1.0, result);
    add_neighbors(has_classes ? explanation_.negative[row_] : 1, 1.0, result);
    return result;
  }
  Vector operator()(const GradientTimesInput&) const {
    return reference::gradient_times_input(gradient(f_), x_, r_);
  }
  Vector operator()(const IntegratedGradients& method) const {
    return reference::integrated_gradients(gradient(f_), x_, r_, method.steps);
  }
  Vector operator()(const Sensitivity&) const {
    return reference::sensitivity(f_, gradient(f_), x_);
  }
  Vector operator()(const Occlusion&) const { return reference::occlusion(f_, x_, r_); }
  Vector operator()(const SampledShapley& method) const {
    return reference::sampled_shapley(f_, x_, r_, method.sequences, method.seed, row_number_);
  }
  /// As above, a background has one row several times.
  Vector operator()(const ExactShapley&) const {
    const bool over_background =
        options_.background && options_.reference.kind == Reference::Kind::automatic;
    const Vector start = over_background ? reference::to_vector(options_.background->row(0)) : r_;
    return reference::subset_shapley(f_, x_, start).value;
  }

 private:
  static std::function<Vector(const Vector&)> gradient(const Function& of) {
    return [of](const Vector& at) { return reference::numerical_gradient(of, at, 1e-5); };
  }

  Network network_at(const Vector& point) const {
    ExplainOptions pair = options_;
    if (!model_.is_regressor()) {
      pair.positive_class = model_.labels()[explanation_.positive[row_]];
      pair.versus = model_.labels()[explanation_.negative[row_]];
    }
    return Explainer(model_, EtaRule{}, pair).network(point);
  }

  /// Calls use(weight, u - x per feature) for all members, negative weights for N.
  template <class Use>
  void for_each_member(const Vector& point, const Use& use) const {
    const Network network = network_at(point);
    const auto visit = [&](const auto& members, const Vector& weights, double sign) {
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (!members[k]) continue;  // at x itself
        for (std::size_t d = 0; d < point.size(); ++d)
          use(d, sign * weights[k], model_.points()(*members[k], d) - point[d]);
      }
    };
    visit(network.positive, network.positive_weights, 1.0);
    visit(network.negative, network.negative_weights, -1.0);
  }

  /// Of g. Neighbors: twice the difference of the pools' means.
  Vector gradient_of_g(const Vector& point) const {
    if (model_.kernel() != nullptr) return gradient(g_)(point);
    Vector result(point.size(), 0.0);
    for_each_member(point, [&](std::size_t d, double weight, double difference) {
      result[d] += 2.0 * weight * difference;
    });
    return result;
  }

  Vector path_gradient(const std::vector<reference::PathStep>& steps) const {
    Vector result(x_.size(), 0.0);
    for (const reference::PathStep& step : steps) {
      Vector point(x_.size());
      for (std::size_t d = 0; d < x_.size(); ++d)
        point[d] = (1.0 - step.fraction) * step.reference[d] + step.fraction * x_[d];
      const Vector slope = gradient_of_g(point);
      for (std::size_t d = 0; d < x_.size(); ++d)
        result[d] += (x_[d] - step.reference[d]) * slope[d] / static_cast<double>(steps.size());
    }
    return result;
  }

  /// (1 - eta) gradient term + eta (sum_N p (x - u)^2 - sum_P p (x - u)^2).
  Vector add_midpoint_term(Vector relevance) const {
    const double eta = *settings_.eta;
    for (double& value : relevance) value *= 1.0 - eta;
    for_each_member(x_, [&](std::size_t d, double weight, double difference) {
      relevance[d] -= eta * weight * difference * difference;
    });
    return relevance;
  }

  Vector corrected(const Vector& relevance) const {
    return reference::corrected(relevance, explanation_.g[row_] - explanation_.base[row_]);
  }

  /// Adds sign * the mean over k = 10, 20, 40, ... of the mean (x - b)^2 of the k nearest rows b of
  /// a class; one class has no other.
  void add_neighbors(std::size_t side, double sign, Vector& relevance) const {
    const Predictions predictions = predict(model_, model_.points());
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t n = 0; n < model_.points().rows(); ++n) {
      const std::size_t own = model_.is_detector() ? 0
                              : model_.is_regressor()
                                  ? (predictions.decisions(n, 0) > *settings_.level ? 0 : 1)
                                  : predictions.classes[n];
      if (own == side)
        order.emplace_back(reference::squared_distance(x_, model_.points().row(n)), n);
    }
    if (order.empty()) return;
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> sizes{std::min<std::size_t>(10, order.size())};
    while (order.size() >= 10 && 2 * sizes.back() <= order.size())
      sizes.push_back(2 * sizes.back());
    for (const std::size_t k : sizes) {
      for (std::size_t rank = 0; rank < k; ++rank) {
        for (std::size_t d = 0; d < x_.size(); ++d) {
          const double difference = x_[d] - model_.points()(order[rank].second, d);
          relevance[d] += sign * difference * difference / static_cast<double>(k * sizes.size());
        }
      }
    }
  }

  const Model& model_;
  const ExplainSettings& settings_;
  const Explainer& explainer_;
  const ExplainOptions& options_;
  const Explanation& explanation_;
  std::size_t row_;
  const Vector& x_;
  const Vector& r_;
  Function f_, g_;
  std::size_t row_number_;
};

void expect_by_definition(const Model& model, const Method& method,
                          const ExplainOptions& options = in_g()) {
  const Matrix rows = normal_rows(31, 6, model.features());
  const Explainer explainer(model, method, options);
  const Explanation explanation = explainer(rows, 100);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector x = reference::to_vector(rows.row(r));
    const Vector expected =
        std::visit(Definition(model, explainer, options, explanation, r, x, 100 + r), method);
    for (std::size_t d = 0; d < expected.size(); ++d)
      EXPECT_NEAR(explanation.relevance(r, d), expected[d], 2e-6 * (1.0 + std::abs(expected[d])))
          << name(method) << " (" << name(explainer.method()) << ")"
          << (output_of(method) == ExplainedOutput::g ? " on g" : " on f") << ", row " << r
          << ", feature " << d;
  }
}

/// At least one model of every kind.
std::vector<Model> models_of_every_kind() {
  using Score = OutlierDetector::Score;
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  const Matrix points = normal_rows(8, 60, 4);
  const KernelMachine linear(machine.shared_points(), machine.coefficients(),
                             Kernel(KernelTerm{KernelForm::polynomial}), 0.1);
  return {reference::plain_classifier(machine),
          reference::three_classes(5, 4),
          reference::plain_classifier(linear),
          Model(KernelRegressor{machine, 0.1}),
          Model(OneClassMachine{machine}),
          reference::plain_neighbors(8, 80, 4, 2, 5),
          reference::plain_neighbors(8, 80, 4, 3, 4),
          Model(NeighborRegressor(points, normal_rows(9, 1, 60).values(), 5)),
          Model(CentroidModel(normal_rows(3, 3, 4), {"a", "b", "c"})),
          Model(OutlierDetector(points, 4, Score::kth_distance, 1.2)),
          Model(OutlierDetector(points, 4, Score::mean_distance, 1.2)),
          Model(OutlierDetector(points, 4, Score::local_outlier_factor, 1.2))};
}

/// What a method needs: gradients and product kernels are those of kernel machines, pools those of
/// distances.
bool is_defined(const Method& method, const Model& model) {
  const bool needs_gradient = std::holds_alternative<GradientTimesInput>(method) ||
                              std::holds_alternative<IntegratedGradients>(method) ||
                              std::holds_alternative<Sensitivity>(method);
  const bool needs_product = std::holds_alternative<ExactShapley>(method);
  const bool needs_pools = std::visit(
      [](const auto& own) {
        return requires { own.responsibilities; };
      },
      method);
  if (model.kernel() == nullptr) return !needs_gradient && !needs_product;
  return !model.has_dot_product() || !(needs_product || needs_pools);
}

TEST(EveryMethod, IsItsDefinitionForEveryKindOfModel) {
  std::set<std::size_t> kinds;
  for (const Model& model : models_of_every_kind()) {
    kinds.insert(model.predictor().index());
    for (Method method : all_methods()) {
      SCOPED_TRACE(testing::Message() << "kind " << model.predictor().index());
      if (!is_defined(method, model)) {
        EXPECT_THROW(Explainer(model, method, in_g()), InvalidInput) << name(method);
        continue;
      }
      ExplainOptions options = in_g();
      options.unit = Unit::g;
      if (std::holds_alternative<Auto>(method)) {
        const Method taken = Explainer(model, Auto{}, in_g()).method();
        if (std::holds_alternative<ExpectedPathRule>(taken)) method = ExpectedPathRule{};
        if (std::holds_alternative<ExactShapley>(taken))
          options.background = Matrix(3, 4, Vector(12, 0.3));
      }
      if (auto* expected = std::get_if<ExpectedPathRule>(&method)) {
        expected->references = 5;
        expected->side = ReferenceSide::all;
        options.background = Matrix(3, 4, Vector(12, 0.3));
      }
      expect_by_definition(model, method, options);
    }
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Predictor>);
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
    for (const ExplainedOutput output : {ExplainedOutput::f, ExplainedOutput::g,
                                         ExplainedOutput::votes, ExplainedOutput::outcome}) {
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
    ExplainOptions options = in_g();
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
  ExplainOptions options = in_g();
  options.background = normal_rows(32, 5, 4);
  options.reference = {Reference::Kind::origin, {}};
  expect_by_definition(model, ExactShapley{}, options);
}

TEST(EveryMethod, SampledShapleyNearsTheExact) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 6, -0.2));
  const Matrix rows = normal_rows(1, 4, 6);
  const Matrix exact = explain(model, rows, ExactShapley{}, in_g()).relevance;
  const auto error = [&](std::size_t sequences) {
    const Matrix sampled =
        explain(model, rows, SampledShapley{.sequences = sequences}, in_g()).relevance;
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
  const Matrix gradient =
      explain(model, rows, GradientTimesInput{ExplainedOutput::g}, in_g()).relevance;
  const Matrix rule = explain(model, rows, EtaRule{.eta = 0.0}, in_g()).relevance;
  for (std::size_t i = 0; i < rule.values().size(); ++i)
    EXPECT_NEAR(gradient.values()[i], rule.values()[i], 1e-11);
}

TEST(EveryMethod, AllButTheRelevanceIsTheSameForEveryMethod) {
  const Matrix rows = normal_rows(1, 30, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 80, 4, 3, 4),
        Model(KernelRegressor{reference::plain_machine(4, 20, 4, -0.2), 0.1})}) {
    const Explanation expected = explain(model, rows, EtaRule{}, in_g());
    for (const Method& method : std::vector<Method>{PathRule{}, Occlusion{}, SampledShapley{}}) {
      const Explanation actual = explain(model, rows, method, in_g());
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
      ExplainOptions one = in_g(), three = in_g();
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
    ExplainOptions single = in_g();
    single.precision = Precision::float32;
    const Matrix coarse = explain(model, rows, method, single).relevance;
    const Matrix fine = explain(model, rows, method, in_g()).relevance;
    for (std::size_t i = 0; i < fine.values().size(); ++i)
      EXPECT_NEAR(coarse.values()[i], fine.values()[i], 1e-4) << name(method);
  }
}

void expect_refused(const Model& model, const Method& method, const std::string& words) {
  const std::string message = error_of([&] { Explainer(model, method, in_g()); });
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(EveryMethod, IsRefusedWhereTheModelHasNoUseForIt) {
  const Model neighbors = reference::plain_neighbors(8, 80, 4, 2, 5);
  expect_refused(neighbors, GradientTimesInput{}, "gradient x input is not defined for KNN");
  expect_refused(neighbors, IntegratedGradients{}, "use lrp, occlusion or shapley");
  expect_refused(neighbors, Sensitivity{}, "sensitivity is not defined for KNN");
  expect_refused(neighbors, ExactShapley{}, "needs a product kernel");
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
  expect_refused(model, IntegratedGradients{.steps = 0}, "steps is 0");
  expect_refused(model, SampledShapley{.sequences = 0}, "sequences is 0");
  expect_refused(model, PathRule{.steps = 0}, "path_steps is 0");
}

TEST(EveryMethod, RefusesMoreEvaluationsThanItsLimit) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 4, 4);
  for (const std::size_t many : {std::size_t{1} << 62, (std::size_t{1} << 62) + 1}) {
    for (const Method& method :
         std::vector<Method>{SampledShapley{.sequences = many}, IntegratedGradients{.steps = many}})
      EXPECT_NE(error_of([&] {
                  explain(model, rows, method, in_g());
                }).find("expected a whole number from 1 to "),
                std::string::npos)
          << name(method);
  }
}

TEST(EveryMethod, EvidenceBelongsToTheRules) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2));
  const Matrix rows = normal_rows(1, 1, 4);
  EXPECT_EQ(Explainer(model, EtaRule{.eta = 0.3}, in_g()).evidence(rows.row(0), 3)[0].relevance,
            Explainer(model, PathRule{.eta = 0.3}, in_g()).evidence(rows.row(0), 3)[0].relevance);
  EXPECT_THROW(Explainer(model, Occlusion{}, in_g()).evidence(rows.row(0), 3), InvalidInput);
  EXPECT_EQ(Explainer(model, Occlusion{}, in_g()).network(rows.row(0)).g,
            Explainer(model, EtaRule{}, in_g()).network(rows.row(0)).g);
}

}  // namespace
}  // namespace bisector
