// f, g and their gradients as functions of input rows, against plain sums and finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/contrast/pair_machine.h"
#include "core/contrast/ranked_contrast_function.h"
#include "core/contrast/soft_contrast_function.h"
#include "reference/plain_machines.h"

namespace bisector {

using namespace detail;

namespace {

using reference::Vector;

constexpr Model::ClassPair kForAgainst{0, 1};

SoftContrastFunction soft_function(const Model& model, Model::ClassPair pair, unsigned threads) {
  SoftContrast contrast = neuralize(pair_machine(model, pair));
  const PoolOptions options{contrast.gamma};
  return {model, std::make_shared<const SoftPools>(std::move(contrast), options), threads};
}

RankedContrastFunction ranked_function(const Model& model, unsigned threads) {
  return {model, std::make_shared<const RankedPools>(model), threads};
}

Vector mapped(const AffineMap& input, const Vector& x0, std::size_t features) {
  Vector x(features);
  input.apply(x0, x);
  return x;
}

/// None, feature-wise, and a matrix from two inputs more.
std::vector<AffineMap> preprocessings(std::size_t features) {
  Random random(7);
  const auto vector = [&](std::size_t n, double low) {
    Vector v(n);
    for (double& value : v) value = low + random.uniform();
    return v;
  };
  return {
      AffineMap(), AffineMap(vector(features, -0.5), vector(features, 0.5)),
      AffineMap(vector(features + 2, -0.5), vector(features + 2, 0.5),
                reference::normal_matrix(random, features, features + 2), vector(features, -0.5))};
}

struct Case {
  KernelMachine machine;
  Model model;
  Matrix rows;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  std::uint64_t seed = 1;
  for (const double intercept : {-0.3, 0.0, 0.4}) {
    for (const AffineMap& input : preprocessings(4)) {
      const KernelMachine machine = reference::plain_machine(++seed, 11, 4, intercept);
      Random random(seed);
      const Model model = reference::plain_classifier(machine, input);
      all.push_back({machine, model, reference::normal_matrix(random, 70, model.features())});
    }
  }
  return all;
}

TEST(SoftContrastFunction, HasTheValuesOfThePlainSums) {
  for (const Case& c : cases()) {
    const SoftContrastFunction function = soft_function(c.model, kForAgainst, 2);
    std::vector<double> f(c.rows.rows()), g(c.rows.rows());
    function.f(c.rows, f);
    function.g(c.rows, g);
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      const Vector x = mapped(c.model.input(), reference::to_vector(c.rows.row(r)), 4);
      EXPECT_NEAR(f[r], reference::plain_decision(c.machine, x), 1e-12);
      EXPECT_NEAR(g[r], reference::plain_output(c.machine, x), 1e-10);
    }
  }
}

TEST(SoftContrastFunction, HasTheGradientsOfFiniteDifferences) {
  for (const Case& c : cases()) {
    const SoftContrastFunction function = soft_function(c.model, kForAgainst, 1);
    Matrix df(c.rows.rows(), c.rows.cols()), dg(c.rows.rows(), c.rows.cols());
    function.f_gradient(c.rows, df.view());
    function.g_gradient(c.rows, dg.view());
    const auto in_inputs = [&](auto plain) {
      return [&c, plain](const Vector& x0) {
        return plain(c.machine, mapped(c.model.input(), x0, 4));
      };
    };
    for (std::size_t r = 0; r < c.rows.rows(); r += 9) {
      const Vector x0 = reference::to_vector(c.rows.row(r));
      const Vector slope_f =
          reference::numerical_gradient(in_inputs(reference::plain_decision), x0, 1e-5);
      const Vector slope_g =
          reference::numerical_gradient(in_inputs(reference::plain_output), x0, 1e-5);
      for (std::size_t d = 0; d < x0.size(); ++d) {
        EXPECT_NEAR(df(r, d), slope_f[d], 1e-7 * (1.0 + std::abs(slope_f[d])));
        EXPECT_NEAR(dg(r, d), slope_g[d], 1e-6 * (1.0 + std::abs(slope_g[d])));
      }
    }
  }
}

// METHOD's E_0 keeps the virtual point fixed at x; the true gradient lets it move along. Both see
// nothing of it.
TEST(SoftContrastFunction, GradientOfGTimesInputIsTheRuleAtEtaZero) {
  for (const Case& c : cases()) {
    const SoftContrastFunction function = soft_function(c.model, kForAgainst, 1);
    Matrix dg(c.rows.rows(), c.rows.cols());
    function.g_gradient(c.rows, dg.view());
    const Explainer explainer(c.model, EtaRule{.eta = 0.0});
    const Matrix relevance = explainer(c.rows).relevance;
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      for (std::size_t d = 0; d < c.rows.cols(); ++d)
        EXPECT_NEAR(relevance(r, d), (c.rows(r, d) - explainer.settings().reference[d]) * dg(r, d),
                    1e-10);
    }
  }
}

TEST(SoftContrastFunction, OfTheOtherClassIsTheNegative) {
  const Model model = reference::three_classes(5, 3);
  Random random(9);
  const Matrix rows = reference::normal_matrix(random, 5, 3);
  const SoftContrastFunction one = soft_function(model, {0, 2}, 1);
  const SoftContrastFunction other = soft_function(model, {2, 0}, 1);
  std::vector<double> f(5), minus_f(5);
  one.f(rows, f);
  other.f(rows, minus_f);
  const Predictions predictions = predict(model, rows);
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(f[r], -minus_f[r], 1e-12);
    EXPECT_NEAR(f[r], predictions.decisions(r, 1), 1e-12);
  }
}

TEST(RankedContrastFunction, IsTheOutcomeAndTheRankedOutput) {
  ExplainOptions b_versus_a;
  b_versus_a.positive_class = "b";
  b_versus_a.versus = "a";
  for (const std::size_t classes : {2, 3}) {
    const Model model = reference::plain_neighbors(3, 60, 4, classes, 5);
    Random random(4);
    const Matrix rows = reference::normal_matrix(random, 100, 4);
    const RankedContrastFunction function = ranked_function(model, 2);
    const Explanation explanation = explain(model, rows, EtaRule{}, b_versus_a);
    std::vector<double> f(100), g(100);
    function.f({1, 0}, rows, f);
    function.g({1, 0}, rows, g);
    for (std::size_t r = 0; r < 100; ++r) {
      EXPECT_EQ(f[r], explanation.prediction[r] == 1 ? 1.0 : -1.0);
      EXPECT_EQ(g[r], explanation.g[r]);
    }
  }
}

TEST(RankedContrastFunction, RefusesAnInfiniteOutput) {
  const Model model(
      NeighborModel(Matrix(5, 1, {0.0, 1.0, 2.0, 3.0, 9.0}), {0, 0, 0, 0, 1}, {"many", "one"}, 5));
  const RankedContrastFunction function = ranked_function(model, 1);
  std::vector<double> g(1);
  try {
    function.g({0, 1}, Matrix(1, 1, 0.5), g);
    FAIL() << "expected an error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("class \"one\" has fewer points than the rank 3"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace bisector
