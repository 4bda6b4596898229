// f, g and their gradients as functions of input rows, compared with plain sums and finite
// differences.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/contrast/contrasts.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"

namespace bisector {

using namespace detail;

namespace {

using reference::Vector;

constexpr Model::ClassPair kForAgainst{0, 1};

/// The contrasts of a model, asked for decisions and gradients.
class PlainContrasts : public Contrasts {
 public:
  PlainContrasts(const Model& model, unsigned threads)
      : Contrasts(model, options(model, threads)) {}

  Vector values(Model::ClassPair pair, ExplainedOutput output, const Matrix& rows) const {
    Vector result(rows.rows());
    of(pair).function(output)(rows.view(), result);
    return result;
  }
  Matrix gradients(Model::ClassPair pair, ExplainedOutput output, const Matrix& rows) const {
    Matrix result(rows.rows(), rows.cols());
    of(pair).gradient(output)(rows.view(), result.view());
    return result;
  }

 private:
  static ContrastOptions options(const Model& model, unsigned threads) {
    ContrastOptions result;
    result.threads = threads;
    if (model.kernel() != nullptr) result.beta = model.kernel()->terms()[0].gamma;
    result.values =
        std::make_shared<const PointValues>(model.input(), Vector(model.model_features(), 0.0),
                                            PointValues::Kind::first, model.distance());
    return result;
  }
};

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

TEST(SoftContrast, HasTheValuesOfThePlainSums) {
  for (const Case& c : cases()) {
    const PlainContrasts contrasts(c.model, 2);
    const Vector f = contrasts.values(kForAgainst, ExplainedOutput::f, c.rows);
    const Vector g = contrasts.values(kForAgainst, ExplainedOutput::g, c.rows);
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      const Vector x = mapped(c.model.input(), reference::to_vector(c.rows.row(r)), 4);
      EXPECT_NEAR(f[r], reference::plain_decision(c.machine, x), 1e-12);
      EXPECT_NEAR(g[r], reference::plain_output(c.machine, x), 1e-10);
    }
  }
}

TEST(SoftContrast, HasTheGradientsOfFiniteDifferences) {
  for (const Case& c : cases()) {
    const PlainContrasts contrasts(c.model, 1);
    const Matrix df = contrasts.gradients(kForAgainst, ExplainedOutput::f, c.rows);
    const Matrix dg = contrasts.gradients(kForAgainst, ExplainedOutput::g, c.rows);
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

// E_0 keeps the virtual point of the intercept fixed at x; the true gradient lets it move with x.
// It adds nothing to either.
TEST(SoftContrast, GradientOfGTimesInputIsTheRuleAtEtaZero) {
  for (const Case& c : cases()) {
    const Matrix dg = PlainContrasts(c.model, 1).gradients(kForAgainst, ExplainedOutput::g, c.rows);
    const Explainer explainer(c.model, EtaRule{.eta = 0.0}, in_g());
    const Matrix relevance = explainer(c.rows).relevance;
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      for (std::size_t d = 0; d < c.rows.cols(); ++d)
        EXPECT_NEAR(relevance(r, d), (c.rows(r, d) - explainer.settings().reference[d]) * dg(r, d),
                    1e-10);
    }
  }
}

TEST(SoftContrast, OfTheOtherClassIsTheNegative) {
  const Model model = reference::three_classes(5, 3);
  Random random(9);
  const Matrix rows = reference::normal_matrix(random, 5, 3);
  const PlainContrasts contrasts(model, 1);
  const Vector f = contrasts.values({0, 2}, ExplainedOutput::f, rows);
  const Vector minus_f = contrasts.values({2, 0}, ExplainedOutput::f, rows);
  const Predictions predictions = predict(model, rows);
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(f[r], -minus_f[r], 1e-12);
    EXPECT_NEAR(f[r], predictions.decisions(r, 1), 1e-12);
  }
}

TEST(NeighborContrast, HasTheVotesTheOutcomeAndTheRankedOutput) {
  ExplainOptions b_versus_a = in_g();
  b_versus_a.positive_class = "b";
  b_versus_a.versus = "a";
  for (const std::size_t classes : {2, 3}) {
    const Model model = reference::plain_neighbors(3, 60, 4, classes, 5);
    Random random(4);
    const Matrix rows = reference::normal_matrix(random, 100, 4);
    const PlainContrasts contrasts(model, 2);
    const Explanation explanation = explain(model, rows, EtaRule{}, b_versus_a);
    const Vector f = contrasts.values({1, 0}, ExplainedOutput::f, rows);
    const Vector g = contrasts.values({1, 0}, ExplainedOutput::g, rows);
    const Vector outcome = contrasts.values({1, 0}, ExplainedOutput::outcome, rows);
    for (std::size_t r = 0; r < 100; ++r) {
      EXPECT_EQ(f[r], explanation.decision[r]);
      EXPECT_EQ(outcome[r], explanation.prediction[r] == 1 ? 1.0 : -1.0);
      EXPECT_EQ(g[r], explanation.g[r]);
    }
  }
}

TEST(NeighborContrast, OutputOfADetectorIsTheThresholdMinusTheScore) {
  const Matrix points = reference::normal_rows(3, 50, 3), rows = reference::normal_rows(4, 20, 3);
  for (const auto score :
       {OutlierDetector::Score::kth_distance, OutlierDetector::Score::mean_distance,
        OutlierDetector::Score::local_outlier_factor}) {
    const Model model(OutlierDetector(points, 4, score, 1.2));
    const PlainContrasts contrasts(model, 1);
    const Vector f = contrasts.values({0, 1}, ExplainedOutput::f, rows);
    const Vector minus_f = contrasts.values({1, 0}, ExplainedOutput::f, rows);
    const Predictions predictions = predict(model, rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(f[r], predictions.decisions(r, 0));
      EXPECT_EQ(minus_f[r], -f[r]);
    }
  }
}

TEST(NeighborContrast, RefusesAnInfiniteOutput) {
  const Model model(
      NeighborModel(Matrix(5, 1, {0.0, 1.0, 2.0, 3.0, 9.0}), {0, 0, 0, 0, 1}, {"many", "one"}, 5));
  const PlainContrasts contrasts(model, 1);
  try {
    contrasts.values({0, 1}, ExplainedOutput::g, Matrix(1, 1, 0.5));
    FAIL() << "expected an error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("class \"one\" has fewer points than the rank"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace bisector
