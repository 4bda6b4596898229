// Exact Shapley values of kernel machines against the definition over all subsets.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/linalg/quadrature.h"
#include "core/simd/kernels.h"
#include "reference/plain_machines.h"
#include "reference/subset_shapley.h"
#include "reference/sum.h"

namespace bisector {
namespace {

using reference::plain_decision;
using reference::Vector;

struct Case {
  KernelMachine machine;
  Matrix rows, background;

  Case(std::uint64_t seed, std::size_t points, std::size_t features, std::size_t row_count,
       std::size_t background_count)
      : machine(reference::plain_machine(seed, points, features, 0.2)) {
    Random random(seed + 1000);
    rows = reference::normal_matrix(random, row_count, features);
    background = reference::normal_matrix(random, background_count, features);
  }
};

Vector over_subsets(const Case& c, std::size_t row) {
  const auto f = [&](const Vector& x) { return plain_decision(c.machine, x); };
  Vector mean(c.rows.cols(), 0.0);
  for (std::size_t b = 0; b < c.background.rows(); ++b) {
    const auto exact = reference::subset_shapley(f, reference::to_vector(c.rows.row(row)),
                                                 reference::to_vector(c.background.row(b)));
    for (std::size_t d = 0; d < mean.size(); ++d)
      mean[d] += exact.value[d] / static_cast<double>(c.background.rows());
  }
  return mean;
}

void expect_exact(const Case& c) {
  const Matrix values = ExactShapleyValues(c.machine, c.background)(c.rows);
  for (std::size_t r = 0; r < c.rows.rows(); ++r) {
    const Vector expected = over_subsets(c, r);
    for (std::size_t d = 0; d < expected.size(); ++d)
      EXPECT_NEAR(values(r, d), expected[d], 1e-13 * static_cast<double>(c.machine.points().rows()))
          << "row " << r << ", feature " << d;
  }
}

/// Restores the level that the environment chose.
class EveryLevel : public testing::Test {
 protected:
  ~EveryLevel() override { simd::force_level(before_); }
  simd::Level before_ = simd::active_level();
};

TEST_F(EveryLevel, GivesTheDefinitionOverAllSubsets) {
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    SCOPED_TRACE(simd::name(level));
    for (std::size_t features = 1; features <= 10; ++features) {
      SCOPED_TRACE(testing::Message() << features << " features");
      expect_exact(Case(features, 5 + 7 * features, features, 2, 1));
    }
  }
}

TEST(ExactShapley, AveragesOverTheBackground) { expect_exact(Case(77, 30, 6, 20, 4)); }

// 13 nodes and more: groups of several sizes, many panels, more rows than a tile.
TEST(ExactShapley, SumsToTheDifferenceOfF) {
  for (const std::size_t features : {11, 24, 25, 26, 40, 301}) {
    const Case c(features, 60, features, 19, 3);
    const Matrix values = ExactShapleyValues(c.machine, c.background)(c.rows);
    double at_background = 0.0;
    for (std::size_t b = 0; b < 3; ++b)
      at_background += plain_decision(c.machine, reference::to_vector(c.background.row(b))) / 3.0;
    for (std::size_t r = 0; r < c.rows.rows(); ++r)
      EXPECT_NEAR(sum(values.row(r)),
                  plain_decision(c.machine, reference::to_vector(c.rows.row(r))) - at_background,
                  1e-12)
          << features << " features, row " << r;
  }
}

// Of one point, a feature that leaves the kernel is one that stands at that point.
TEST(ExactShapley, OfDroppedFeaturesIsThatOfEachPointAgainstItself) {
  for (const std::size_t features : {1, 2, 7, 10}) {
    const Case c(features, 30, features, 5, 1);
    const Matrix values = ExactShapleyValues::of_dropped_features(c.machine, 2)(c.rows);
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      Vector expected(features, 0.0);
      for (std::size_t n = 0; n < c.machine.points().rows(); ++n) {
        const Vector point = reference::to_vector(c.machine.points().row(n));
        const KernelMachine alone(Matrix(1, features, point), {c.machine.coefficients()[n]},
                                  Kernel(c.machine.gamma()), 0.0);
        const auto exact =
            reference::subset_shapley([&](const Vector& x) { return plain_decision(alone, x); },
                                      reference::to_vector(c.rows.row(r)), point);
        for (std::size_t d = 0; d < features; ++d) expected[d] += exact.value[d];
      }
      for (std::size_t d = 0; d < features; ++d) EXPECT_NEAR(values(r, d), expected[d], 1e-12);
    }
  }
}

// f = c exp(-gamma |x - u|^2) with u = r: every factor B is one, and with all x_d - r_d equal the
// values are equal too.
TEST(ExactShapley, OfThousandsOfEqualFeaturesSharesEqually) {
  constexpr std::size_t features = 2000;
  const KernelMachine machine(Matrix(1, features, 0.5), {3.0}, Kernel(1e-3), 0.0);
  const Matrix values =
      ExactShapleyValues(machine, Matrix(1, features, 0.5))(Matrix(1, features, 1.0));
  const double each = 3.0 * std::expm1(-1e-3 * 0.25 * features) / features;
  for (std::size_t d = 0; d < features; ++d) ASSERT_NEAR(values(0, d), each, 1e-13);
}

// Factors that vanish: dividing the whole product by one of them would give 0 / 0.
TEST(ExactShapley, SurvivesFactorsThatAreZero) {
  const KernelMachine machine(Matrix(2, 3, {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}), {2.0, -1.0},
                              Kernel(1e6), 0.0);
  const Matrix rows(1, 3, {0.0, 0.0, 1.0});
  const Matrix background(1, 3, {0.0, 1.0, 0.0});
  const Matrix values = ExactShapleyValues(machine, background)(rows);
  const auto expected = reference::subset_shapley(
      [&](const Vector& x) { return plain_decision(machine, x); }, {0, 0, 1}, {0, 1, 0});
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(values(0, d), expected.value[d], 1e-15);
}

TEST(ExactShapley, FarAwayIsZeroNotNan) {
  const Case c(3, 20, 4, 1, 1);
  const Matrix values = ExactShapleyValues(c.machine, Matrix(1, 4, -1e90))(Matrix(1, 4, 1e90));
  for (const double value : values.row(0)) EXPECT_EQ(value, 0.0);
}

TEST(ExactShapley, OfAFeatureAtItsReferenceIsZero) {
  Case c(5, 20, 4, 1, 1);
  c.rows(0, 2) = c.background(0, 2);
  EXPECT_EQ(ExactShapleyValues(c.machine, c.background)(c.rows)(0, 2), 0.0);
}

TEST(ExactShapley, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  const Case c(9, 100, 7, 50, 2);
  const Matrix whole = ExactShapleyValues(c.machine, c.background, 1)(c.rows);
  EXPECT_EQ(ExactShapleyValues(c.machine, c.background, 3)(c.rows), whole);
  const ExactShapleyValues shapley(c.machine, c.background);
  for (std::size_t r = 0; r < 50; ++r) {
    const Matrix alone = shapley(c.rows.view().rows(r, 1));
    for (std::size_t d = 0; d < 7; ++d) EXPECT_EQ(alone(0, d), whole(r, d));
  }
}

TEST(ExactShapley, RefusesWhatDoesNotFit) {
  const Case c(1, 5, 3, 1, 1);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(0, 3)), InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(1, 2)), InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, Matrix(1, 3, std::nan(""))), InvalidInput);
  const ExactShapleyValues shapley(c.machine, c.background);
  EXPECT_THROW(shapley(Matrix(1, 4)), InvalidInput);
  EXPECT_THROW(shapley(Matrix(1, 3, std::nan(""))), InvalidInput);
}

/// A game of players over all subsets: f with the features of absent players at the reference.
struct SubsetGame {
  std::vector<double> f;  // by the bits of the present players
  std::size_t players;

  SubsetGame(const KernelMachine& machine, std::span<const double> x, std::span<const double> r,
             const std::vector<std::size_t>& player_of)
      : players(*std::ranges::max_element(player_of) + 1) {
    const Distance& distance = machine.kernel().distance();
    for (std::size_t present = 0; present < std::size_t{1} << players; ++present) {
      double value = 0.0;
      for (std::size_t n = 0; n < machine.points().rows(); ++n) {
        double s = 0.0;
        for (std::size_t d = 0; d < x.size(); ++d) {
          const double own = (present >> player_of[d] & 1) != 0 ? x[d] : r[d];
          s += distance.part(d, machine.points()(n, d) - own);
        }
        for (const KernelTerm& term : machine.kernel().terms())
          value += machine.coefficients()[n] * term.weight * std::exp(-term.gamma * s);
      }
      f.push_back(value);
    }
  }

  double weight(std::size_t present, std::size_t others) const {
    const auto size = static_cast<double>(std::popcount(present));
    const auto rest = static_cast<double>(players - others);
    return std::exp(std::lgamma(size + 1.0) + std::lgamma(rest - size + 1.0) -
                    std::lgamma(rest + 2.0));
  }
  double value(std::size_t d) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < f.size(); ++s)
      if ((s >> d & 1) == 0) sum += weight(s, 1) * (f[s | std::size_t{1} << d] - f[s]);
    return sum;
  }
  double pair(std::size_t d, std::size_t e) const {
    const std::size_t with_d = std::size_t{1} << d, with_e = std::size_t{1} << e;
    double sum = 0.0;
    for (std::size_t s = 0; s < f.size(); ++s)
      if ((s & (with_d | with_e)) == 0)
        sum += weight(s, 2) * (f[s | with_d | with_e] - f[s | with_d] - f[s | with_e] + f[s]);
    return sum;
  }
};

std::vector<Kernel> product_kernels() {
  const KernelTerm wide{KernelForm::exponential, 0.05, 1.0, 0.4};
  const KernelTerm narrow{KernelForm::exponential, 2.0, 1.0, 0.6};
  return {Kernel(0.1), Kernel(30.0),
          Kernel(KernelTerm{KernelForm::exponential, 0.4}, Distance::manhattan()),
          Kernel(KernelTerm{KernelForm::exponential, 0.4}, Distance(1.5)),
          Kernel(std::vector{wide, narrow})};
}

void expect_definition(const Kernel& kernel, const std::vector<std::size_t>& players,
                       std::uint64_t seed) {
  const Case c(seed, 20, players.size(), 1, 2);
  const KernelMachine machine(c.machine.points(), c.machine.coefficients(), kernel, 0.3);
  const ExactShapleyValues shapley(machine, c.background, 1, players);
  const Matrix values = shapley(c.rows), pairs = shapley.interactions(c.rows.row(0));
  const std::vector<SubsetGame> games = {
      SubsetGame(machine, c.rows.row(0), c.background.row(0), players),
      SubsetGame(machine, c.rows.row(0), c.background.row(1), players)};
  for (std::size_t d = 0; d < shapley.players(); ++d) {
    EXPECT_NEAR(values(0, d), (games[0].value(d) + games[1].value(d)) / 2.0, 1e-9);
    EXPECT_NEAR(sum(pairs.row(d)), values(0, d), 1e-9);
    for (std::size_t e = 0; e < d; ++e) {
      EXPECT_EQ(pairs(d, e), pairs(e, d));
      EXPECT_NEAR(2.0 * pairs(d, e), (games[0].pair(d, e) + games[1].pair(d, e)) / 2.0, 1e-9);
    }
  }
}

TEST(ExactShapley, ValuesAndPairsOfProductKernelsGiveTheDefinition) {
  for (const Kernel& kernel : product_kernels()) {
    for (const std::size_t features : {2, 3, 6, 10}) {
      SCOPED_TRACE(testing::Message() << features << " features");
      std::vector<std::size_t> players(features);
      std::iota(players.begin(), players.end(), std::size_t{0});
      expect_definition(kernel, players, 10 + features);
    }
  }
}

TEST_F(EveryLevel, GivesTheDefinitionOfPairs) {
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    SCOPED_TRACE(simd::name(level));
    for (std::size_t features = 1; features <= 10; ++features) {
      SCOPED_TRACE(testing::Message() << features << " features");
      std::vector<std::size_t> players(features);
      std::iota(players.begin(), players.end(), std::size_t{0});
      expect_definition(Kernel(0.3), players, 30 + features);
    }
  }
}

// More nodes than are in memory at the same time, and factors that underflow.
TEST(ExactShapley, PairsOfSteepKernelsSumToTheValues) {
  for (const double gamma : {0.5, 50.0, 1e4}) {
    Case c(3, 30, 90, 1, 2);
    for (std::size_t d = 0; d < 90; ++d) c.rows(0, d) = c.machine.points()(0, d) + 0.01;
    const ExactShapleyValues shapley(
        KernelMachine(c.machine.points(), c.machine.coefficients(), Kernel(gamma), 0.0),
        c.background);
    const Matrix values = shapley(c.rows), pairs = shapley.interactions(c.rows.row(0));
    for (std::size_t d = 0; d < 90; ++d) {
      for (const double pair : pairs.row(d)) EXPECT_TRUE(std::isfinite(pair));
      EXPECT_NEAR(sum(pairs.row(d)), values(0, d), 1e-9);
    }
  }
}

TEST(ExactShapley, ValuesAndPairsOfGroupsGiveTheDefinition) {
  for (const Kernel& kernel : product_kernels()) {
    expect_definition(kernel, {0, 1, 1, 2, 0, 3, 3, 3}, 5);
    expect_definition(kernel, {1, 0, 1, 0}, 6);
  }
}

TEST(ExactShapley, AFeatureThatTheModelIgnoresHasNoValueAndNoInteractions) {
  const Case c(8, 25, 5, 1, 1);
  Matrix points = c.machine.points();
  Matrix row = c.rows, background = c.background;
  for (std::size_t n = 0; n < points.rows(); ++n) points(n, 3) = 0.0;
  row(0, 3) = background(0, 3);
  const ExactShapleyValues shapley(
      KernelMachine(points, c.machine.coefficients(), c.machine.kernel(), 0.0), background);
  const Matrix pairs = shapley.interactions(row.row(0));
  for (std::size_t d = 0; d < 5; ++d) EXPECT_EQ(pairs(3, d), 0.0);
  EXPECT_EQ(shapley(row)(0, 3), 0.0);
}

TEST(ExactShapley, EqualFeaturesHaveEqualInteractions) {
  Case c(4, 15, 4, 1, 1);
  Matrix points = c.machine.points();
  for (Matrix* m : {&points, &c.rows, &c.background})
    for (std::size_t n = 0; n < m->rows(); ++n) (*m)(n, 2) = (*m)(n, 1);
  const ExactShapleyValues shapley(
      KernelMachine(points, c.machine.coefficients(), c.machine.kernel(), 0.0), c.background);
  const Matrix pairs = shapley.interactions(c.rows.row(0));
  EXPECT_NEAR(pairs(0, 1), pairs(0, 2), 1e-14);
  EXPECT_NEAR(pairs(3, 1), pairs(3, 2), 1e-14);
}

// More players than a block, so that the strongest pairs come from several blocks.
TEST(ExactShapley, StrongestInteractionsAreTheLargestOfAllPairs) {
  const Case c(2, 12, 300, 1, 1);
  const ExactShapleyValues shapley(c.machine, c.background);
  const Matrix pairs = shapley.interactions(c.rows.row(0));
  std::vector<PairInteraction> all;
  for (std::size_t d = 0; d < 300; ++d)
    for (std::size_t e = 0; e < d; ++e) all.push_back({e, d, 2.0 * pairs(d, e)});
  std::ranges::sort(all, std::greater<>(), [](const auto& p) { return std::abs(p.value); });
  const auto top = shapley.strongest_interactions(c.rows.row(0), 7);
  ASSERT_EQ(top.size(), 7u);
  for (std::size_t n = 0; n < 7; ++n) {
    EXPECT_NEAR(top[n].value, all[n].value, 1e-13);
    EXPECT_LT(top[n].first, top[n].second);
  }
}

/// Shapley values with ceil(D / 2) nodes, which are exact.
Vector with_all_nodes(const KernelMachine& machine, std::span<const double> x,
                      std::span<const double> r) {
  const std::size_t features = x.size();
  const linalg::Quadrature rule = linalg::gauss_legendre((features + 1) / 2);
  Vector values(features, 0.0);
  Vector a(features), b(features), before(features + 1), after(features + 1);
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    for (std::size_t d = 0; d < features; ++d) {
      a[d] = std::exp(-machine.gamma() * std::pow(x[d] - machine.points()(n, d), 2.0));
      b[d] = std::exp(-machine.gamma() * std::pow(r[d] - machine.points()(n, d), 2.0));
    }
    for (std::size_t q = 0; q < rule.nodes.size(); ++q) {
      const double t = rule.nodes[q];
      before[0] = after[features] = 1.0;
      for (std::size_t d = 0; d < features; ++d)
        before[d + 1] = before[d] * (t * a[d] + (1.0 - t) * b[d]);
      for (std::size_t d = features; d-- > 0;)
        after[d] = after[d + 1] * (t * a[d] + (1.0 - t) * b[d]);
      for (std::size_t d = 0; d < features; ++d)
        values[d] +=
            machine.coefficients()[n] * rule.weights[q] * (a[d] - b[d]) * before[d] * after[d + 1];
    }
  }
  return values;
}

TEST(ExactShapley, ChosenNodesAgreeWithAllNodes) {
  for (const std::size_t features : {20, 60, 300}) {
    for (const double gamma_s2 : {0.01, 0.1, 1.0, 3.0, 10.0, 100.0, 1000.0}) {
      SCOPED_TRACE(testing::Message() << features << " features, gamma s^2 " << gamma_s2);
      Case c(features, 40, features, 1, 1);
      // Rows near a point, so that kernels are not all zero where gamma is large.
      for (std::size_t d = 0; d < features; ++d) {
        c.rows(0, d) = c.machine.points()(0, d) + 0.02 * c.rows(0, d);
        if (d % 2 == 0) c.background(0, d) = c.machine.points()(0, d);
      }
      const double gamma = gamma_s2 / (2.0 * static_cast<double>(features));
      const KernelMachine machine(c.machine.points(), c.machine.coefficients(), Kernel(gamma), 0.0);
      const Matrix values = ExactShapleyValues(machine, c.background)(c.rows);
      const Vector expected = with_all_nodes(machine, c.rows.row(0), c.background.row(0));
      double largest = 0.0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      for (std::size_t d = 0; d < features; ++d)
        EXPECT_NEAR(values(0, d), expected[d], 1e-9 * largest);
    }
  }
}

// Half of the factors rise and half fall, so that the integrand has its maximum inside.
TEST(ShapleyNodes, AreEnoughForSteepIntegrands) {
  for (const double steepness : {0.1, 1.0, 5.0, 20.0, 100.0, 500.0, 1500.0}) {
    for (const std::size_t factors : {40, 200, 1200}) {
      for (const double rising : {1.0, 0.7, 0.5}) {
        const linalg::ShapleyNodes nodes(factors);
        const linalg::Quadrature& rule = nodes(steepness);
        const auto up = static_cast<double>(factors) * rising;
        const double down = static_cast<double>(factors) - up;
        const double step = steepness / static_cast<double>(factors);
        const auto integral = [&](const linalg::Quadrature& own) {
          double total = 0.0;
          for (std::size_t q = 0; q < own.nodes.size(); ++q) {
            const double t = own.nodes[q];
            total += own.weights[q] * std::exp(up * std::log(t + (1.0 - t) * std::exp(-step)) +
                                               down * std::log(t * std::exp(-step) + 1.0 - t));
          }
          return total;
        };
        const double exact = integral(linalg::gauss_legendre((factors + 1) / 2));
        EXPECT_NEAR(integral(rule) / exact, 1.0, 1e-9)
            << steepness << ' ' << factors << ' ' << rising;
      }
    }
  }
}

TEST(ShapleyNodes, DoNotGrowWithTheNumberOfFactors) {
  EXPECT_EQ(linalg::ShapleyNodes(30)(3.3).nodes.size(), 7u);
  EXPECT_EQ(linalg::ShapleyNodes(784)(3.3).nodes.size(), 7u);
  EXPECT_EQ(linalg::ShapleyNodes(6)(1e9).nodes.size(), 3u);
  EXPECT_EQ(linalg::ShapleyNodes(784)(std::nan("")).nodes.size(), 392u);
}

TEST(ExactShapley, RefusesKernelsThatAreNoProductsAndPlayersWithGaps) {
  const Case c(1, 5, 3, 1, 1);
  const auto with = [&](const Kernel& kernel) {
    return KernelMachine(c.machine.points(), c.machine.coefficients(), kernel, 0.0);
  };
  EXPECT_THROW(ExactShapleyValues(with(Kernel(KernelTerm{KernelForm::matern32})), c.background),
               InvalidInput);
  EXPECT_THROW(
      ExactShapleyValues(with(Kernel(KernelTerm{KernelForm::exponential}, Distance::cosine())),
                         c.background),
      InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, c.background, 1, {0, 2, 2}), InvalidInput);
  EXPECT_THROW(ExactShapleyValues(c.machine, c.background, 1, {0, 1}), InvalidInput);
}

}  // namespace
}  // namespace bisector
