// The unit of the model's output: one base value per contrast, exact sums, signs and order as in
// the unit g, bounded and finite values. The reference implementation is
// reference/unit_conversion.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/explain/units.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"
#include "reference/random_distances.h"
#include "reference/random_models.h"
#include "reference/sum.h"
#include "reference/unit_conversion.h"

namespace bisector {
namespace {

using reference::has_same_order;
using reference::has_same_signs;
using reference::side;
using reference::Vector;

/// A random model and rows for it.
struct Case {
  Model model;
  Matrix rows;
};

Case random_of(std::type_identity<KernelClassifier>, std::uint64_t seed) {
  if (seed % 3 == 0) return {reference::three_classes(seed, 4), reference::normal_rows(seed, 6, 4)};
  if (seed % 3 == 1) {
    const auto machine = reference::random_machine(seed, 6);
    return {reference::two_class(machine), machine.rows};
  }
  const auto own = reference::random_kernel_machine(seed, 6);
  return {Model(KernelClassifier::two_class(own.machine, "for", "against")), own.rows};
}

Case random_of(std::type_identity<KernelRegressor>, std::uint64_t seed) {
  const auto own = reference::random_kernel_machine(seed, 6);
  return {Model(KernelRegressor{own.machine, 0.3}), own.rows};
}

/// Every other has positive weights and a threshold, as one-class machines are trained.
Case random_of(std::type_identity<OneClassMachine>, std::uint64_t seed) {
  const auto own = reference::random_kernel_machine(seed, 6);
  if (seed % 2 == 0) return {Model(OneClassMachine{own.machine}), own.rows};
  std::vector<double> weights = own.machine.coefficients();
  for (double& weight : weights) weight = std::abs(weight);
  const double threshold = 0.2 * sum(weights);
  return {Model(OneClassMachine{KernelMachine(own.machine.shared_points(), weights,
                                              own.machine.kernel(), -threshold)}),
          own.rows};
}

Case random_of(std::type_identity<NeighborModel>, std::uint64_t seed) {
  if (seed % 2 == 0) {
    const auto own = reference::random_neighbors(seed, 2 + seed % 3, false);
    return {own.model(), own.rows};
  }
  const auto voters = reference::random_voters(seed, 6);
  return {Model(reference::random_weighted_neighbors(voters, 2 + seed % 3)), voters.rows};
}

Case random_of(std::type_identity<CentroidModel>, std::uint64_t seed) {
  return {Model(CentroidModel(reference::normal_rows(seed, 4, 3), {"a", "b", "c", "d"})),
          reference::normal_rows(seed + 1, 6, 3)};
}

Case random_of(std::type_identity<NeighborRegressor>, std::uint64_t seed) {
  const auto voters = reference::random_voters(seed, 6);
  return {Model(reference::random_neighbor_regressor(voters, seed)), voters.rows};
}

Case random_of(std::type_identity<OutlierDetector>, std::uint64_t seed) {
  const auto voters = reference::random_voters(seed, 6);
  return {Model(reference::random_detector(voters, seed)), voters.rows};
}

/// All kinds of models in turn. A new kind has no case above and does not compile.
template <std::size_t... Kinds>
Case random_case(std::uint64_t seed, std::index_sequence<Kinds...>) {
  using Make = Case (*)(std::uint64_t);
  constexpr Make kMake[] = {[](std::uint64_t own) {
    return random_of(std::type_identity<std::variant_alternative_t<Kinds, Predictor>>(), own);
  }...};
  return kMake[seed % sizeof...(Kinds)](seed / sizeof...(Kinds));
}

Case random_case(std::uint64_t seed) {
  return random_case(seed, std::make_index_sequence<std::variant_size_v<Predictor>>());
}

/// What predict prints for the pair of a row.
double predicted(const Model& model, const Predictions& predictions, const Explanation& e,
                 std::size_t r) {
  const auto decisions = predictions.decisions.row(r);
  if (model.is_regressor()) return decisions[0];
  if (model.kernel() != nullptr)
    return model.pair_decision({e.positive[r], e.negative[r]}, decisions);
  if (decisions.size() > 1) return decisions[e.positive[r]] - decisions[e.negative[r]];
  const std::size_t first = model.fixed_pair()->positive;
  return e.positive[r] == first ? decisions[0] : -decisions[0];
}

bool is_rule(const Method& method) {
  return std::visit(
      [](const auto& own) {
        return requires { own.responsibilities; };
      },
      method);
}

/// The default method, and the rules if the model has them.
std::vector<Method> methods_of(const Model& model) {
  std::vector<Method> methods{Auto{}};
  if (model.distance().categories().empty() && !model.input().has_matrix())
    methods.insert(methods.end(), {EtaRule{}, PathRule{}, ExpectedPathRule{.references = 8}});
  return methods;
}

/// F of the row's contrast.
double limit_of(std::span<const UnitScale> scales, const Explanation& e, std::size_t r) {
  if (e.positive.empty()) return scales.front().limit;
  const auto [first, second] = std::minmax(e.positive[r], e.negative[r]);
  for (const UnitScale& scale : scales)
    if (scale.positive == first && scale.negative == second) return scale.limit;
  return 0.0;
}

TEST(UnitOfTheOutput, HasItsPropertiesForRandomModelsOfEveryKind) {
  constexpr std::size_t kKinds = std::variant_size_v<Predictor>, kModels = 600;  // of each kind
  std::size_t cases = 0;
  for (std::uint64_t seed = 0; seed < kKinds * kModels; ++seed) {
    const Case own = random_case(seed);
    // Six models of a kind in a row have the same method, because the cases above alternate.
    const std::vector<Method> methods = methods_of(own.model);
    const Method& method = methods[seed / kKinds / 6 % methods.size()];
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", kind " << own.model.predictor().index()
                                    << ", " << name(method));
    const std::vector<UnitScale> scales = compute_unit_scales(own.model, own.model.points());
    const Explainer explainer(own.model, method);
    const Explanation e = explainer(own.rows),
                      in_unit_g = explain(own.model, own.rows, method, in_g());
    const Predictions predictions = predict(own.model, own.rows);
    std::map<std::pair<std::size_t, std::size_t>, double> bases;
    EXPECT_EQ(e.g, in_unit_g.g);
    for (std::size_t r = 0; r < own.rows.rows(); ++r) {
      ++cases;
      const auto values = e.relevance.row(r);
      const double positive = side(values, 1.0), negative = side(values, -1.0);
      const double size = std::abs(e.output[r]) + std::abs(e.base[r]) + positive + negative;
      EXPECT_TRUE(std::isfinite(size + e.remainder[r] + e.stretch[r]));
      EXPECT_NEAR(e.base[r] + sum(values) + e.remainder[r], e.output[r], 1e-11 * (1.0 + size));
      EXPECT_EQ(e.output[r], predicted(own.model, predictions, e, r));
      const std::pair pair = own.model.is_regressor() ? std::pair<std::size_t, std::size_t>{0, 1}
                                                      : std::pair{e.positive[r], e.negative[r]};
      EXPECT_EQ(bases.emplace(pair, e.base[r]).first->second, e.base[r]);
      if (!is_rule(explainer.method())) continue;
      EXPECT_TRUE(has_same_signs(in_unit_g.relevance.row(r), values));
      EXPECT_TRUE(has_same_order(in_unit_g.relevance.row(r), values));
      const double bound = std::abs(e.output[r] - e.base[r]) + limit_of(scales, e, r);
      EXPECT_LE(std::max(positive, negative), bound * (1.0 + 1e-9));
    }
  }
  EXPECT_GT(cases, 20000u);
}

TEST(UnitOfTheOutput, IsTheReferenceImplementationOnTheModelsPoints) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const bool is_kernel = seed % 2 == 0;
    const auto machine = reference::random_machine(seed, 6);
    const auto neighbors = reference::random_neighbors(seed, 2, false);
    const Model model = is_kernel ? reference::two_class(machine) : neighbors.model();
    const Matrix& rows = is_kernel ? machine.rows : neighbors.rows;
    const Explanation points = explain(model, model.points(), EtaRule{}, in_g());
    const reference::Scale scale = reference::contrast_scale(points.decision, points.g);
    const Method method = PathRule{};
    const Explanation e = explain(model, rows, method), g = explain(model, rows, method, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      std::optional<double> ratio;
      if (is_kernel && g.g[r] != 0.0) ratio = g.decision[r] / g.g[r];
      const double t = e.output[r] - scale.mean;
      const auto kind = is_kernel ? reference::OutputKind::kernel : reference::OutputKind::vote;
      const reference::UnitRow expected = reference::convert_row(
          reference::to_vector(g.relevance.row(r)), t, scale, kind, ratio, true);
      const double size = std::abs(t) + scale.limit;
      EXPECT_NEAR(e.base[r], scale.mean, 1e-10 * (1.0 + scale.limit));
      for (std::size_t d = 0; d < rows.cols(); ++d)
        EXPECT_NEAR(e.relevance(r, d), expected.values[d], 1e-6 * size);
      EXPECT_NEAR(e.remainder[r], expected.remainder, 1e-6 * size);
    }
  }
}

/// Bit for bit, so that NaN equals NaN and 0 does not equal -0.
bool is_identical(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

bool is_identical(std::span<const double> one, const std::vector<double>& all, std::size_t r) {
  return is_identical(one, std::span(all).subspan(r, all.empty() ? 0 : 1));
}

/// Row r of `all` equals the only row of `one` in every number.
void expect_identical(const Explanation& one, const Explanation& all, std::size_t r) {
  EXPECT_TRUE(is_identical(one.relevance.row(0), all.relevance.row(r)));
  if (all.standard_error.rows() > 0) {
    EXPECT_TRUE(is_identical(one.standard_error.row(0), all.standard_error.row(r)));
  }
  for (const auto field :
       {&Explanation::output, &Explanation::base, &Explanation::remainder, &Explanation::stretch,
        &Explanation::correction, &Explanation::g, &Explanation::decision, &Explanation::value})
    EXPECT_TRUE(is_identical(one.*field, all.*field, r));
  EXPECT_EQ(one.tie[0], all.tie[r]);
  EXPECT_EQ(one.outside[0], all.outside[r]);
  if (!all.prediction.empty()) {
    EXPECT_EQ(one.prediction[0], all.prediction[r]);
    EXPECT_EQ(one.positive[0], all.positive[r]);
    EXPECT_EQ(one.negative[0], all.negative[r]);
  }
}

TEST(UnitOfTheOutput, OneRowAloneEqualsTheRowInABatchForEveryMethod) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> models;  // by kind and method
  for (std::uint64_t seed = 0; seed < 350; ++seed) {
    const Case own = random_case(seed);
    for (const Method& method : all_methods()) {
      ExplainOptions options;
      options.unit = seed % 3 == 0 ? Unit::g : seed % 3 == 1 ? Unit::decision : Unit::share;
      std::optional<Explainer> explainer;
      try {
        explainer.emplace(own.model, method, options);
      } catch (const InvalidInput&) {
        continue;  // the model has no such method
      }
      SCOPED_TRACE(testing::Message() << "seed " << seed << " " << name(method));
      ++models[{own.model.predictor().index(), method.index()}];
      const Explanation all = (*explainer)(own.rows);
      for (std::size_t r = 0; r < own.rows.rows(); ++r)
        expect_identical((*explainer)(own.rows.view().rows(r, 1), r), all, r);
    }
  }
  std::map<std::size_t, std::size_t> kinds_of_method;
  for (const auto& [pair, count] : models) ++kinds_of_method[pair.second];
  for (const Method& method : all_methods()) {
    const bool needs_kernel = std::visit(
        [](const auto& own) {
          using M = std::decay_t<decltype(own)>;
          return std::is_same_v<M, GradientTimesInput> || std::is_same_v<M, IntegratedGradients> ||
                 std::is_same_v<M, Sensitivity> || std::is_same_v<M, ExactShapley>;
        },
        method);
    EXPECT_EQ(kinds_of_method[method.index()], needs_kernel ? 3u : std::variant_size_v<Predictor>)
        << name(method);
  }
}

TEST(UnitOfTheOutput, MethodsOnFAreNotConverted) {
  const Matrix rows = reference::normal_rows(3, 20, 4);
  const KernelMachine machine = reference::plain_machine(4, 20, 4, -0.2);
  for (const Model& model :
       {reference::plain_classifier(machine), Model(KernelRegressor{machine, 0.4}),
        reference::plain_neighbors(8, 80, 4, 3, 5)}) {
    const Explanation e = explain(model, rows, Occlusion{}),
                      g = explain(model, rows, Occlusion{}, in_g());
    EXPECT_EQ(e.relevance, g.relevance);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const double level = model.is_regressor() ? 0.4 : 0.0;
      EXPECT_NEAR(e.base[r], g.base[r] + level, 1e-12);
      EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)) + e.remainder[r], e.output[r], 1e-12);
    }
  }
}

TEST(UnitOfTheOutput, ABackgroundReplacesTheModelsScales) {
  const Model model = reference::plain_classifier(reference::plain_machine(4, 40, 3, -0.2));
  const Matrix rows = reference::normal_rows(3, 5, 3), data = reference::normal_rows(5, 150, 3);
  const std::vector<UnitScale> scales = compute_unit_scales(model, data);
  ASSERT_EQ(scales.size(), 1u);
  ExplainOptions with_background;
  with_background.background = data;
  const Method method = PathRule{.eta = 0.3};
  const Explanation by_background = explain(model, rows, method, with_background);
  const Explanation by_model = explain(model.with_unit_scales(scales), rows, method);
  for (std::size_t r = 0; r < rows.rows(); ++r) EXPECT_EQ(by_background.base[r], by_model.base[r]);
  EXPECT_NE(by_model.base[0], explain(model, rows, method).base[0]);
  EXPECT_THROW(model.with_unit_scales({{1, 0, 0.0, 1.0, 1.0}}), InvalidModel);
  EXPECT_THROW(model.with_unit_scales({{0, 1, 0.0, -1.0, 1.0}}), InvalidModel);
  EXPECT_THROW(model.with_unit_scales({scales[0], scales[0]}), InvalidModel);
}

TEST(UnitOfTheOutput, ABackgroundOfOneOutputTakesTheScaleOfTheModel) {
  // Every background row has all votes of one class: it has a mean, but no scale.
  const Model model = reference::plain_neighbors(8, 80, 4, 2, 5);
  const Matrix rows = reference::normal_rows(3, 20, 4);
  ExplainOptions options;
  options.background = Matrix(3, 4);
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t d = 0; d < 4; ++d) (*options.background)(n, d) = rows(0, d);
  const Explanation e = explain(model, rows, ExpectedPathRule{}, options);
  EXPECT_EQ(e.base[1], e.output[0]);
  std::size_t explained = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)) + e.remainder[r], e.output[r], 1e-12);
    explained += e.output[r] != e.base[r] && side(e.relevance.row(r), 1.0) > 0.0;
  }
  EXPECT_GT(explained, 0u);
}

TEST(UnitOfTheOutput, ABackgroundOfOneRowIsABaseline) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case own = random_case(seed);
    ExplainOptions options;
    const auto first = own.rows.row(0);
    options.background = Matrix(1, first.size(), {first.begin(), first.end()});
    for (const Method& method : methods_of(own.model)) {
      SCOPED_TRACE(seed);
      const Explanation e = explain(own.model, own.rows, method, options);
      for (std::size_t r = 0; r < own.rows.rows(); ++r) {
        const double total = e.base[r] + sum(e.relevance.row(r)) + e.remainder[r];
        ASSERT_TRUE(std::isfinite(total));
        const auto values = e.relevance.row(r);
        const double size = std::abs(e.base[r]) + std::abs(e.output[r]) + side(values, 1.0) +
                            std::abs(side(values, -1.0));
        EXPECT_NEAR(total, e.output[r], 1e-9 * std::max(size, 1.0));
        const bool is_same_pair = e.positive.empty() || (e.positive[r] == e.positive[0] &&
                                                         e.negative[r] == e.negative[0]);
        if (is_rule(method) && is_same_pair && !own.model.is_detector() &&
            !e.without_neighbors[0]) {
          EXPECT_NEAR(e.base[r], e.output[0], 1e-9 * std::max(size, 1.0));
        }
      }
    }
  }
}

TEST(UnitOfTheOutput, TheLevelOfARegressorChangesNoBaseValueAndNoOutput) {
  const Model plain(KernelRegressor{reference::plain_machine(4, 40, 3, -0.2), 0.4});
  const Matrix rows = reference::normal_rows(3, 5, 3), data = reference::normal_rows(5, 150, 3);
  const Model model = plain.with_unit_scales(compute_unit_scales(plain, data));
  ExplainOptions other;
  other.level = -0.3;
  const Explanation a = explain(model, rows, PathRule{}),
                    b = explain(model, rows, PathRule{}, other);
  EXPECT_EQ(a.base, b.base);
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.output, a.value);
}

TEST(UnitOfTheOutput, DetectorsStartAtTheThreshold) {
  const Matrix points = reference::normal_rows(3, 60, 3), rows = reference::normal_rows(4, 20, 3);
  for (const auto score :
       {OutlierDetector::Score::kth_distance, OutlierDetector::Score::local_outlier_factor}) {
    const Explanation e =
        explain(Model(OutlierDetector(points, 5, score, 1.3)), rows, EtaRule{1.0});
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(e.base[r], 1.3);
      EXPECT_EQ(e.stretch[r], 1.0);
      EXPECT_LE(*std::ranges::max_element(e.relevance.row(r)), 0.0);
      EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)) + e.remainder[r], e.output[r], 1e-12);
    }
  }
}

TEST(UnitOfTheOutput, IsFiniteInEverySpecialCase) {
  // A class with fewer points than the rank, so that g is infinite, and duplicates of both classes.
  const Matrix points(8, 2, {0, 0, 1, 0, 0, 1, 1, 1, 2, 1, 2, 1, 0, 0, 3, 3});
  // A training point, equal distances, a row without neighbors within the radius, rows far away.
  const Matrix rows(7, 2, {0, 0, 3, 3, 2, 1, 0.5, 0.5, 20, 20, 1e50, -1e50, 1e99, 1e99});
  NeighborVote by_distance, within_radius;
  by_distance.weights = NeighborVote::Weights::distance;
  within_radius.radius = 2.0;
  std::vector<Model> models;
  for (const NeighborVote& vote : {NeighborVote{}, by_distance, within_radius}) {
    const std::size_t k = vote.radius ? 1 : 7;
    models.emplace_back(
        NeighborModel(points, {0, 0, 0, 0, 0, 1, 1, 1}, {"common", "rare"}, k, vote));
    models.emplace_back(NeighborRegressor(points, {1, 2, 3, 4, 5, 6, 7, 8}, k, vote));
  }
  models.emplace_back(CentroidModel(Matrix(2, 2, {0, 0, 0, 0}), {"a", "b"}));
  models.emplace_back(OutlierDetector(points, 3, OutlierDetector::Score::kth_distance, 1.0));
  const std::vector<double> weights{1, -1, 1e-300, -1e300, 1, -1, 2, -2};
  models.emplace_back(KernelRegressor{KernelMachine(points, weights, Kernel(1e3), 0.1), 0.0});
  models.push_back(reference::plain_classifier(KernelMachine(points, weights, Kernel(1e-8), 0.0)));
  std::size_t infinite = 0;
  for (const Model& model : models) {
    for (const Method& method : {Method(Auto{}), Method(EtaRule{}), Method(PathRule{}),
                                 Method(ExpectedPathRule{.references = 5})}) {
      for (const Precision precision : {Precision::float64, Precision::float32}) {
        SCOPED_TRACE(testing::Message() << "kind " << model.predictor().index() << name(method));
        ExplainOptions options;
        options.precision = precision;
        const Explanation e = explain(model, rows, method, options);
        for (std::size_t r = 0; r < rows.rows(); ++r) {
          infinite += std::isinf(e.g[r]);
          const double values = sum(e.relevance.row(r));
          const double size = 1.0 + std::abs(e.output[r]) + std::abs(e.base[r]) +
                              side(e.relevance.row(r), 1.0) + side(e.relevance.row(r), -1.0);
          ASSERT_TRUE(std::isfinite(size + e.remainder[r] + e.stretch[r])) << r;
          EXPECT_NEAR(e.base[r] + values + e.remainder[r], e.output[r], 1e-9 * size) << r;
          EXPECT_TRUE(e.g[r] != 0.0 || e.tie[r] || e.decision[r] == e.g[r]) << r;
        }
      }
    }
  }
  EXPECT_GT(infinite, 0u);
}

TEST(UnitShare, IsPercentOfAllValuesAndTheRemainder) {
  ExplainOptions options;
  options.unit = Unit::share;
  const Matrix rows = reference::normal_rows(3, 20, 4);
  for (const Model& model : {reference::plain_classifier(reference::plain_machine(4, 20, 4, -0.2)),
                             reference::plain_neighbors(8, 80, 4, 2, 5)}) {
    for (const Method& method : {Method(EtaRule{}), Method(PathRule{}), Method(Occlusion{})}) {
      const Explanation share = explain(model, rows, method, options);
      const Explanation e = explain(model, rows, method);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        const double size = side(e.relevance.row(r), 1.0) + side(e.relevance.row(r), -1.0) +
                            std::abs(e.remainder[r]);
        for (std::size_t d = 0; size > 0.0 && d < 4; ++d)
          EXPECT_NEAR(share.relevance(r, d), 100.0 * e.relevance(r, d) / size, 1e-9);
        EXPECT_EQ(share.base[r], 0.0);
        EXPECT_NEAR(sum(share.relevance.row(r)) + share.remainder[r], share.output[r], 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace bisector
