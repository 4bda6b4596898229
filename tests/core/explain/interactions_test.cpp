// Pair interactions of models: which method a model gets, sums, groups, and integrated Hessians
// against the Hessian of the network.
#include "bisector/interactions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"
#include "reference/sum.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::plain_machine;

KernelMachine with_kernel(const KernelMachine& machine, const Kernel& kernel) {
  return KernelMachine(machine.shared_points(), machine.coefficients(), kernel,
                       machine.intercept());
}

ExplainOptions with_background(std::uint64_t seed, std::size_t rows, std::size_t features) {
  ExplainOptions options = in_g();
  options.background = normal_rows(seed, rows, features);
  options.threads = 1;
  return options;
}

TEST(Interactions, RowsOfProductKernelsSumToExactShapleyValues) {
  const Model model(KernelRegressor(plain_machine(3, 30, 5, 0.2)));
  const ExplainOptions options = with_background(7, 12, 5);
  const InteractionExplainer interactions(model, options, {.references = 12});
  ASSERT_TRUE(interactions.is_exact());
  const Matrix rows = normal_rows(9, 3, 5);
  const Explanation values = explain(model, rows, ExactShapley{.references = 12}, options);
  for (std::size_t r = 0; r < 3; ++r) {
    const Matrix pairs = interactions(rows.row(r));
    for (std::size_t d = 0; d < 5; ++d)
      EXPECT_NEAR(sum(pairs.row(d)), values.relevance(r, d), 1e-9);
  }
}

TEST(Interactions, RowsSumToTheValuesOfGroupsOverTheWholeBackground) {
  const Model model(KernelRegressor(plain_machine(3, 30, 5, 0.2)));
  ExplainOptions options = with_background(7, 12, 5);
  options.players = {1, 0, 1, 2, 0};
  const InteractionExplainer interactions(model, options, {.references = std::nullopt});
  ASSERT_EQ(interactions.players(), 3u);
  const Matrix rows = normal_rows(9, 2, 5);
  const Explanation values = explain(model, rows, ExactShapley{}, options);
  const std::vector<std::size_t> first = {1, 0, 3};  // the first feature of each player
  for (std::size_t r = 0; r < 2; ++r) {
    const Matrix pairs = interactions(rows.row(r));
    for (std::size_t p = 0; p < 3; ++p)
      EXPECT_NEAR(sum(pairs.row(p)), values.relevance(r, first[p]), 1e-9);
    EXPECT_EQ(values.relevance(r, 2), 0.0);
    EXPECT_EQ(values.relevance(r, 4), 0.0);
  }
}

TEST(Interactions, StrongestPairsAreThoseOfTheMatrix) {
  const Model model(KernelRegressor(plain_machine(4, 30, 6, 0.2)));
  const InteractionExplainer interactions(model, with_background(7, 5, 6), {.references = 5});
  const Matrix row = normal_rows(9, 1, 6), pairs = interactions(row.row(0));
  double largest = 0.0;
  for (std::size_t d = 0; d < 6; ++d)
    for (std::size_t e = 0; e < d; ++e) largest = std::max(largest, std::abs(2.0 * pairs(d, e)));
  const auto top = interactions.strongest(row.row(0), 3);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_NEAR(std::abs(top[0].value), largest, 1e-12);
}

TEST(Interactions, OtherKernelMachinesHaveIntegratedHessiansThatSumToTheChangeOfG) {
  const KernelMachine machine =
      with_kernel(plain_machine(5, 20, 4, 0.2), Kernel(KernelTerm{KernelForm::matern52, 0.8}));
  const Model model(OneClassMachine{machine});
  const ExplainOptions options = with_background(1, 4, 4);
  const InteractionExplainer interactions(model, options, {.references = 4, .steps = 24});
  ASSERT_FALSE(interactions.is_exact());
  const Matrix row = normal_rows(2, 1, 4), pairs = interactions(row.row(0));
  const double g = explain(model, row, EtaRule{}, options).g[0];
  const Explanation at_references = explain(model, *options.background, EtaRule{}, options);
  const double sign = at_references.positive[0] == 0 ? 1.0 : -1.0;
  EXPECT_NEAR(sum(pairs.values()), g - sign * sum(at_references.g) / 4.0, 1e-6);
  for (std::size_t d = 0; d < 4; ++d)
    for (std::size_t e = 0; e < d; ++e) EXPECT_NEAR(pairs(d, e), pairs(e, d), 1e-12);
}

/// The Hessian of g of a Gaussian machine: 2 (p_0^P - p_0^N) I + gamma (Cov_P - Cov_N) of the
/// points' gradients 2 (x - u) and the intercept's 0.
Matrix hessian(const KernelMachine& machine, std::span<const double> x) {
  const std::size_t features = x.size();
  Matrix result(features, features);
  for (const double side : {1.0, -1.0}) {
    std::vector<double> weights;
    for (std::size_t n = 0; n < machine.points().rows(); ++n) {
      double s = 0.0;
      for (std::size_t d = 0; d < features; ++d) s += std::pow(x[d] - machine.points()(n, d), 2.0);
      weights.push_back(std::max(0.0, side * machine.coefficients()[n]) *
                        std::exp(-machine.gamma() * s));
    }
    const double virtual_point = std::max(0.0, side * machine.intercept());
    const double total = sum(weights) + virtual_point;
    std::vector<double> mean(features, 0.0);
    Matrix second(features, features);
    for (std::size_t n = 0; n < weights.size(); ++n) {
      for (std::size_t d = 0; d < features; ++d) {
        const double a = 2.0 * (x[d] - machine.points()(n, d));
        mean[d] += weights[n] / total * a;
        for (std::size_t e = 0; e < features; ++e)
          second(d, e) += weights[n] / total * a * 2.0 * (x[e] - machine.points()(n, e));
      }
    }
    for (std::size_t d = 0; d < features; ++d) {
      result(d, d) += side * 2.0 * virtual_point / total;
      for (std::size_t e = 0; e < features; ++e)
        result(d, e) += side * machine.gamma() * (second(d, e) - mean[d] * mean[e]);
    }
  }
  return result;
}

// Behind a rotation the kernel is not a product over the inputs. The path is one from one
// reference.
TEST(Interactions, IntegratedHessiansAgreeWithTheHessianOfTheNetwork) {
  const KernelMachine machine = plain_machine(6, 25, 3, 0.3);
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Matrix turn(3, 3, {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0});
  const AffineMap map({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, turn);
  const Model model(KernelClassifier::two_class(machine, "a", "b"), map);
  ExplainOptions options = with_background(3, 2, 3);
  for (std::size_t d = 0; d < 3; ++d) (*options.background)(1, d) = (*options.background)(0, d);
  const Matrix row = normal_rows(4, 1, 3);
  const InteractionExplainer interactions(model, options, {.references = 1, .steps = 32});
  const Matrix pairs = interactions(row.row(0));
  const auto& r = *options.background;
  Matrix expected(3, 3);
  constexpr std::size_t kSteps = 4000;
  for (std::size_t n = 0; n < kSteps; ++n) {
    const double t = (static_cast<double>(n) + 0.5) / kSteps;
    std::vector<double> at(3), mapped(3);
    for (std::size_t d = 0; d < 3; ++d) at[d] = r(0, d) + t * (row(0, d) - r(0, d));
    map.apply(at, mapped);
    const Matrix inner = hessian(machine, mapped);
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            expected(d, e) += -t * std::log(t) / kSteps * turn(i, d) * inner(i, j) * turn(j, e);
  }
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t e = 0; e < 3; ++e)
      if (d != e) {
        EXPECT_NEAR(pairs(d, e), expected(d, e) * (row(0, d) - r(0, d)) * (row(0, e) - r(0, e)),
                    1e-5);
      }
}

TEST(Interactions, GroupsOfIntegratedHessiansAreSumsOfTheirMembers) {
  const KernelMachine machine =
      with_kernel(plain_machine(5, 20, 4, 0.2), Kernel(KernelTerm{KernelForm::matern32, 0.8}));
  const Model model(KernelRegressor{machine, 0.0});
  const ExplainOptions options = with_background(1, 3, 4);
  const Matrix row = normal_rows(2, 1, 4);
  const Matrix single = InteractionExplainer(model, options, {.references = 3})(row.row(0));
  const Matrix grouped =
      InteractionExplainer(model, options, {.references = 3, .players = {0, 1, 1, 0}})(row.row(0));
  ASSERT_EQ(grouped.rows(), 2u);
  EXPECT_NEAR(grouped(0, 1), single(0, 1) + single(0, 2) + single(3, 1) + single(3, 2), 1e-12);
  EXPECT_NEAR(sum(grouped.values()), sum(single.values()), 1e-12);
}

TEST(Interactions, ModelsWithoutSecondDerivativesAreRefused) {
  const Model neighbors = reference::plain_neighbors(1, 20, 3, 2, 5);
  EXPECT_THROW(InteractionExplainer{neighbors}, InvalidInput);
  const Model linear(KernelRegressor{
      with_kernel(plain_machine(5, 20, 4, 0.2), Kernel(KernelTerm{KernelForm::polynomial})), 0.0});
  EXPECT_THROW(InteractionExplainer{linear}, InvalidInput);
}

}  // namespace
}  // namespace bisector
