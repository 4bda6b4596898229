// Kernels of any distance against the sums of their definition: sign, effective distances, parts
// and gradients.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/baselines.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/nested_kernels.h"
#include "reference/random_distances.h"
#include "reference/sum.h"

namespace bisector {
namespace {

using reference::Vector;

constexpr std::uint64_t kModels = 1200;

Model regressor(const KernelMachine& machine) { return Model(KernelRegressor{machine, 0.0}); }

bool has_categories(const KernelMachine& machine) {
  return !machine.kernel().distance().categories().empty();
}

TEST(DistanceKernels, AgreeWithTheSumsOfTheDefinition) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    const Explanation e = explain(regressor(machine), rows, EtaRule{1.0}, in_g());
    const double total = reference::total_weight(machine);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r));
      const double f = reference::kernel_decision(machine, rows.row(r));
      EXPECT_NEAR(e.decision[r], f, 1e-12 * total);
      if (std::abs(f) <= 1e-11 * total) continue;
      EXPECT_EQ(e.g[r] > 0.0, f > 0.0) << f << " " << e.g[r];
      const double g = reference::kernel_output(machine, rows.row(r));
      EXPECT_NEAR(e.g[r], g, 1e-6 * (1e-3 + std::abs(g)));
      ++judged;
    }
  }
  EXPECT_GT(judged, 3000u);
}

TEST(DistanceKernels, PartsOfTheDistancesAreTheRuleAtEtaOne) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    const Explanation e = explain(regressor(machine), rows, EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Vector expected = reference::kernel_relevance(machine, rows.row(r));
      double largest = 0.0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      for (std::size_t d = 0; d < expected.size(); ++d)
        EXPECT_NEAR(e.relevance(r, d), expected[d], 1e-6 * (largest + 1e-6))
            << "seed " << seed << ", row " << r << ", feature " << d;
    }
  }
}

// The parts of a pair add up to what its members' distances differ by, so those of all pairs to
// what the pools' mean distances do: nothing is lost at eta = 1.
TEST(DistanceKernels, ConserveTheMeanDistancesAtEtaOne) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    const Explainer explainer(regressor(machine), EtaRule{1.0}, in_g());
    const Explanation e = explainer(rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Network net = explainer.network(rows.row(r));
      const auto mean = [&](const auto& members, const Vector& weights) {
        double sum = 0.0;
        for (std::size_t k = 0; k < members.size(); ++k) {
          if (members[k])
            sum += weights[k] * reference::distance_sum(machine.kernel().distance(), rows.row(r),
                                                        machine.points().row(*members[k]));
        }
        return sum;
      };
      const double expected =
          mean(net.negative, net.negative_weights) - mean(net.positive, net.positive_weights);
      EXPECT_NEAR(sum(e.relevance.row(r)), expected, 1e-9 * (1.0 + std::abs(expected)))
          << "seed " << seed << ", row " << r;
      EXPECT_NEAR(net.g, e.g[r], 1e-9 * (1.0 + std::abs(e.g[r]))) << "seed " << seed;
    }
  }
}

TEST(DistanceKernels, GradientTimesInputIsTheRuleAtEtaZero) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    if (has_categories(machine)) continue;
    const Model model = regressor(machine);
    const Explainer explainer(model, EtaRule{0.0}, in_g());
    const Explanation e = explainer(rows);
    const Vector& origin = explainer.settings().reference;
    const auto g = [&](const Vector& x) { return explainer({x.data(), 1, x.size()}).g[0]; };
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Vector x = reference::to_vector(rows.row(r));
      const Vector slope = reference::numerical_gradient(g, x, 1e-5);
      for (std::size_t d = 0; d < x.size(); ++d, ++judged)
        EXPECT_NEAR(e.relevance(r, d), (x[d] - origin[d]) * slope[d],
                    1e-4 * (1.0 + std::abs(e.relevance(r, d))))
            << "seed " << seed << ", row " << r << ", feature " << d;
    }
  }
  EXPECT_GT(judged, 2000u);
}

TEST(DistanceKernels, APathIsCompleteWithManySteps) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    const auto& distance = machine.kernel().distance();
    // From the origin a cosine does not change, and a category jumps.
    if (has_categories(machine) || distance.is_cosine()) continue;
    const PathRule fine{.eta = 0.0, .steps = 4000};
    const Explanation e = explain(regressor(machine), rows, fine, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r)
      EXPECT_NEAR(e.correction[r], 0.0, 0.02 * (std::abs(e.g[r]) + std::abs(e.base[r]) + 0.1))
          << "seed " << seed << ", row " << r;
  }
}

TEST(DistanceKernels, EveryRuleIsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed, 150);
    const Model model = regressor(machine);
    std::vector<Method> rules{EtaRule{1.0}, NeighborhoodRule{}, Auto{}};
    if (!has_categories(machine))
      rules.insert(rules.end(), {PathRule{}, ExpectedPathRule{.references = 8}});
    for (const Method& rule : rules) {
      ExplainOptions one = in_g(), three = in_g();
      one.threads = 1;
      three.threads = 3;
      const Explanation whole = explain(model, rows, rule, one);
      const Explainer explainer(model, rule, three);
      EXPECT_EQ(explainer(rows).relevance, whole.relevance) << "seed " << seed << name(rule);
      const Explanation tail = explainer(rows.view().rows(67, 83));
      for (std::size_t r = 0; r < 83; ++r) {
        ASSERT_EQ(tail.g[r], whole.g[67 + r]);
        for (std::size_t d = 0; d < rows.cols(); ++d)
          ASSERT_EQ(tail.relevance(r, d), whole.relevance(67 + r, d)) << "seed " << seed;
      }
    }
  }
}

// A scale in front of the model weighs the features of a distance.
TEST(DistanceKernels, ScalesInFrontAreWeightsOfTheDistance) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    Random random(seed);
    Vector shift, scale;
    Matrix inputs = rows;
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      shift.push_back(random.normal());
      scale.push_back(0.5 + random.uniform());
      for (std::size_t r = 0; r < rows.rows(); ++r) inputs(r, d) = rows(r, d) / scale[d] + shift[d];
    }
    const Model behind(KernelRegressor{machine, 0.0}, AffineMap(shift, scale));
    const Explanation e = explain(behind, inputs, EtaRule{1.0}, in_g());
    if (has_categories(machine)) continue;  // rounding makes other categories
    const Explanation plain = explain(regressor(machine), rows, EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_NEAR(e.g[r], plain.g[r], 1e-6 * (1.0 + std::abs(plain.g[r])));
      for (std::size_t d = 0; d < rows.cols(); ++d)
        EXPECT_NEAR(e.relevance(r, d), plain.relevance(r, d),
                    1e-6 * (1.0 + std::abs(plain.relevance(r, d))));
    }
  }
}

TEST(DistanceKernels, AMahalanobisDistanceIsAMatrixInFront) {
  Random random(3);
  const Matrix mixing = reference::random_matrix(random, 3, 3);
  const KernelTerm term{KernelForm::matern32, 0.8};
  const auto [machine, rows] = reference::random_kernel_machine(8, Distance(), 3, 5);
  const KernelMachine matern(machine.points(), machine.coefficients(), Kernel(term), 0.2);
  const Model model(KernelRegressor{matern, 0.0},
                    AffineMap({0.1, 0.2, 0.3}, {1.0, 2.0, 0.5}, mixing));
  const Explainer explainer(model, EtaRule{0.0}, in_g());
  const Explanation e = explainer(rows);
  const auto g = [&](const Vector& x) { return explainer({x.data(), 1, x.size()}).g[0]; };
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector x = reference::to_vector(rows.row(r));
    const Vector slope = reference::numerical_gradient(g, x, 1e-5);
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(e.relevance(r, d), (x[d] - explainer.settings().reference[d]) * slope[d], 1e-5);
  }
}

TEST(DistanceKernels, KernelsAreDataWithAnInverse) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Kernel kernel = reference::random_kernel(random, seed, Distance());
    for (const double s : {1e-12, 1e-3, 0.4, 3.0, 50.0}) {
      EXPECT_NEAR(std::exp(kernel.log_value(s)), reference::kernel_value(kernel, s), 1e-13);
      const double slope = reference::kernel_slope(kernel, s);
      EXPECT_NEAR(std::exp(kernel.log_slope(s)), slope, 1e-12 * slope) << "seed " << seed;
      const double h = 1e-3 * s, rise = reference::kernel_value(kernel, s - h);
      const double numerical = (rise - reference::kernel_value(kernel, s + h)) / (2.0 * h);
      EXPECT_NEAR(slope, numerical, 1e-3 * slope + 1e-12 / s) << "seed " << seed;
      if (s > 1e-6 && kernel.log_value(s) > -600.0) {
        EXPECT_NEAR(kernel.inverse(kernel.log_value(s)), s, 1e-7 * s) << "seed " << seed;
      }
    }
    EXPECT_EQ(kernel.inverse(0.0), 0.0);
  }
}

TEST(DistanceKernels, EqualKernelsAreEqualAsData) {
  EXPECT_EQ(Kernel(KernelTerm{KernelForm::exponential, 2.0, 3.5, 1.0, 4.0}), Kernel(2.0));
  EXPECT_EQ(Kernel(KernelTerm{KernelForm::sigmoid, 2.0, 3.5, 1.0, 4.0}),
            Kernel(KernelTerm{KernelForm::sigmoid, 2.0, 1.0, 1.0, 4.0}));
}

void expect_refused(const Model& model, const Method& method, const std::string& words) {
  const std::string message = error_of([&] { Explainer(model, method, in_g()); });
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(DistanceKernels, WhatADistanceDoesNotHaveIsRefused) {
  const Matrix points(3, 2, {0, 1, 1, 0, 1, 1});
  const auto model_of = [&](const Kernel& kernel, AffineMap input = {}) {
    return Model(KernelRegressor{KernelMachine(points, {1, -1, 1}, kernel, 0.1), 0.0},
                 std::move(input));
  };
  const KernelTerm term{};
  const Model gower = model_of(Kernel(term, Distance(1.0, {1.0, 0.0})));
  expect_refused(gower, PathRule{}, "needs a reference point, which categories do not have");
  expect_refused(gower, EtaRule{0.5},
                 "expected 1: the model has categories, which have no gradient");
  expect_refused(gower, GradientTimesInput{}, "categories, which have no gradient");
  EXPECT_NO_THROW(Explainer(gower, ExactShapley{}, in_g()));  // a product over the features
  EXPECT_EQ(*Explainer(gower, EtaRule{}, in_g()).settings().eta, 1.0);
  const AffineMap matrix({0, 0}, {1, 1}, Matrix(2, 2, {1, 1, 0, 1}));
  const Model mixed = model_of(Kernel(term, Distance::manhattan()), matrix);
  expect_refused(mixed, EtaRule{0.5}, "expected 0: behind a matrix");
  expect_refused(mixed, NeighborhoodRule{}, "needs Euclidean distances");
  EXPECT_EQ(*Explainer(mixed, EtaRule{}, in_g()).settings().eta, 0.0);
  EXPECT_THROW(model_of(Kernel(term, Distance::hamming(2)), matrix), InvalidModel);
  EXPECT_THROW(model_of(Kernel(term, Distance::hamming(3))), InvalidModel);
  EXPECT_THROW(Distance(0.5), InvalidModel);
  EXPECT_THROW(Distance(1.0, {-1.0}), InvalidModel);
  EXPECT_THROW(Kernel(KernelTerm{KernelForm::power, 1.0, 0.0}), InvalidModel);
  EXPECT_THROW(Kernel(std::vector{term, term}), InvalidModel);
  EXPECT_THROW(Kernel(std::vector<KernelTerm>{}), InvalidModel);
  const Matrix without_direction(2, 2, {0, 0, 1, 1});
  EXPECT_THROW(KernelMachine(without_direction, {1, -1}, Kernel(term, Distance::cosine()), 0.0),
               InvalidModel);
}

TEST(DistanceKernels, AutoHasARuleForEveryDistance) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto [machine, rows] = reference::random_kernel_machine(seed);
    for (const View view : {View::model, View::data}) {
      const Explainer explainer(regressor(machine), Auto{view}, in_g());
      EXPECT_FALSE(explainer.settings().reason.empty());
      EXPECT_EQ(explainer(rows).g.size(), rows.rows());
    }
  }
}

}  // namespace
}  // namespace bisector
