// Numbers at the edge of what doubles hold: results stay finite and the sign stays right.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/error_of.h"
#include "reference/high_precision.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

using reference::Vector;

void expect_finite(const Explanation& explanation) {
  for (const double value : explanation.relevance.values()) ASSERT_TRUE(std::isfinite(value));
  for (const double value : explanation.g) ASSERT_TRUE(std::isfinite(value));
}

TEST(Extremes, GammaFromTinyToHuge) {
  for (const double exponent : {-8.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(testing::Message() << "gamma 1e" << exponent << ", seed " << seed);
      auto m = reference::random_machine(seed);
      m.gamma = std::pow(10.0, exponent);
      EtaRule rule;
      ExplainOptions options = in_g();
      options.reference = {Reference::Kind::origin, {}};
      rule.eta = 0.5;
      for (const Precision precision : {Precision::float64, Precision::float32}) {
        options.precision = precision;
        const Explanation explanation = explain(reference::two_class(m), m.rows, rule, options);
        expect_finite(explanation);
        for (std::size_t r = 0; r < m.rows.rows(); ++r) {
          const auto pools =
              reference::pools_at(m.points, m.coefficients, m.intercept, m.rows.row(r));
          const auto net = reference::layers(m.gamma, m.rows.row(r), pools);
          // g is a difference of terms of the size log(alpha) / gamma.
          const double size = std::abs(net.g) + 1.0 + 10.0 / m.gamma;
          const double tolerance = precision == Precision::float64 ? 1e-9 : 1e-4;
          EXPECT_NEAR(explanation.g[r], net.g, tolerance * size);
          const Vector expected = reference::precise_relevance(0.5, m.gamma, m.rows.row(r), pools);
          double scale = 1e-305;
          for (const double value : expected) scale = std::max(scale, std::abs(value));
          const double allowed = (tolerance + reference::oracle_error(m.gamma)) * scale;
          for (std::size_t d = 0; d < expected.size(); ++d)
            EXPECT_NEAR(explanation.relevance(r, d), expected[d], allowed);
        }
      }
    }
  }
}

// x.u and u^2 overflow single precision above 1e19 (a gamma of 1e-50 hides this from the bound on
// rounding), and 2 gamma underflows: such rows go through double precision.
TEST(Extremes, SinglePrecisionDecidesAsDoubleForCoordinatesOfAnySize) {
  for (const double size : {1e-30, 1e-20, 1e14, 1e18, 1e20, 1e25, 1e40}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << "coordinates of " << size << ", seed " << seed);
      auto m = reference::random_machine(seed);
      for (Matrix* matrix : {&m.points, &m.rows}) {
        for (std::size_t r = 0; r < matrix->rows(); ++r) {
          for (double& value : matrix->row(r)) value *= size;
        }
      }
      m.gamma /= size * size;
      const Model model = reference::two_class(m);
      ExplainOptions options = in_g();
      const Explanation exact = explain(model, m.rows, EtaRule{}, options);
      options.precision = Precision::float32;
      const Explanation single = explain(model, m.rows, EtaRule{}, options);
      expect_finite(single);
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        double scale = 0.0;
        for (const double value : exact.relevance.row(r)) scale = std::max(scale, std::abs(value));
        for (std::size_t d = 0; d < m.rows.cols(); ++d)
          EXPECT_NEAR(single.relevance(r, d), exact.relevance(r, d), 1e-4 * scale);
      }
      const Predictions by_single = DecisionFunction(model, Precision::float32)(m.rows.view());
      EXPECT_EQ(by_single.classes, predict(model, m.rows).classes);
    }
  }
}

// Coefficients beyond the range of single precision would be infinite or zero in it.
TEST(Extremes, SinglePrecisionDecidesAsDoubleForCoefficientsOfAnySize) {
  for (const double size : {1e-300, 1e-60, 1e60, 1e290}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << "coefficients of " << size << ", seed " << seed);
      auto m = reference::random_machine(seed);
      for (double& coefficient : m.coefficients) coefficient *= size;
      m.intercept *= size;
      const Model model = reference::two_class(m);
      const Predictions by_double = predict(model, m.rows);
      const Predictions by_single = DecisionFunction(model, Precision::float32)(m.rows.view());
      for (std::size_t r = 0; r < m.rows.rows(); ++r)
        EXPECT_NEAR(by_single.decisions(r, 0) / size, by_double.decisions(r, 0) / size, 1e-4);
    }
  }
}

TEST(Extremes, WeightsFromTinyToHuge) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto m = reference::random_machine(seed);
    Random random(seed);
    for (double& coefficient : m.coefficients)
      coefficient = std::copysign(reference::log_uniform(random, -300, 300), coefficient);
    m.intercept = std::copysign(reference::log_uniform(random, -300, 300), m.intercept);
    const Explanation explanation = explain(reference::two_class(m), m.rows, EtaRule{}, in_g());
    expect_finite(explanation);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const auto pools = reference::pools_at(m.points, m.coefficients, m.intercept, m.rows.row(r));
      const double g = reference::layers(m.gamma, m.rows.row(r), pools).g;
      EXPECT_NEAR(explanation.g[r], g, 1e-9 * (std::abs(g) + 1.0));
      EXPECT_EQ(explanation.g[r] > 0.0, g > 0.0);
    }
  }
}

// A stiffness that no exponent could hold: the nearest point of each pool has all responsibility.
TEST(Extremes, BetaFarAboveGammaIsTheNearestPoint) {
  for (const double beta : {1e20, 1e100, 1e200, 1e308}) {
    for (const double gamma : {1e-300, 1e-8, 1.0, 1e100}) {
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(testing::Message()
                     << "beta " << beta << ", gamma " << gamma << ", seed " << seed);
        auto m = reference::random_machine(seed);
        m.gamma = gamma;
        ExplainOptions options = in_g();
        for (const Precision precision : {Precision::float64, Precision::float32}) {
          options.precision = precision;
          const Explainer explainer(reference::two_class(m), EtaRule{0.5, {.beta = beta}}, options);
          expect_finite(explainer(m.rows));
          const Network network = explainer.network(m.rows.row(0));
          for (const auto* weights : {&network.positive_weights, &network.negative_weights}) {
            double sum = 0.0;
            for (const double p : *weights) sum += p;
            EXPECT_NEAR(sum, 1.0, 1e-12);
          }
        }
      }
    }
  }
}

// A band wider than any pool is the whole pool, and no sum of ranks wraps.
TEST(Extremes, KappaFarAboveThePoolIsTheWholePool) {
  const auto m = reference::random_neighbors(3, 2, true);
  const Model model = m.model();
  const Explanation whole = explain(model, m.rows, EtaRule{{}, {.kappa = m.points.rows()}}, in_g());
  for (const std::size_t kappa :
       {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() - 1}) {
    const Explanation explanation = explain(model, m.rows, EtaRule{{}, {.kappa = kappa}}, in_g());
    EXPECT_EQ(explanation.relevance, whole.relevance);
    EXPECT_EQ(explanation.g, whole.g);
  }
}

// Far out every kernel value underflows and f is 0; the nearest point still decides.
TEST(Extremes, FarAwayTheSignIsStillRight) {
  const Model model(KernelClassifier::two_class(
      KernelMachine(Matrix(2, 2, {1.0, 0.0, -1.0, 0.0}), {1.0, -1.0}, Kernel(2.0), 0.0), "right",
      "left"));
  for (const double distance : {1e2, 1e4, 1e8, 1e16, 1e40, 1e99}) {
    for (const double side : {1.0, -1.0}) {
      SCOPED_TRACE(testing::Message() << "x = " << side * distance);
      const Matrix rows(1, 2, {side * distance, 0.5 * distance});
      const Explanation explanation = explain(model, rows, EtaRule{}, in_g());
      expect_finite(explanation);
      EXPECT_EQ(explanation.decision[0], 0.0);
      EXPECT_EQ(explanation.g[0] > 0.0, side > 0.0);
      EXPECT_NEAR(explanation.g[0], 4.0 * side * distance, 1e-9 * distance);
    }
  }
}

TEST(Extremes, FarAwayFromPointsThatAreOne) {
  const Model model(KernelClassifier::two_class(
      KernelMachine(Matrix(2, 1, {0.5, 0.5}), {1.0, -2.0}, Kernel(2.0), 0.0), "for", "against"));
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    ExplainOptions options = in_g();
    options.precision = precision;
    for (const double distance : {1e2, 1e20, 1e40, 1e99}) {
      const Explanation explanation = explain(model, Matrix(1, 1, {distance}), EtaRule{}, options);
      expect_finite(explanation);
      EXPECT_LT(explanation.g[0], 0.0) << distance;
    }
  }
}

TEST(Extremes, FarAwayTheInterceptWins) {
  for (const double intercept : {0.5, -0.5}) {
    const Model model(KernelClassifier::two_class(
        KernelMachine(Matrix(2, 2, {1.0, 0.0, -1.0, 0.0}), {1.0, -1.0}, Kernel(2.0), intercept),
        "for", "against"));
    for (const double distance : {1e2, 1e8, 1e40}) {
      const Explanation explanation =
          explain(model, Matrix(1, 2, {distance, -distance}), EtaRule{}, in_g());
      expect_finite(explanation);
      EXPECT_EQ(explanation.g[0] > 0.0, intercept > 0.0) << distance;
    }
  }
}

TEST(Extremes, OnePointPerClass) {
  const Matrix points(2, 1, {0.0, 2.0});
  const Model svm(
      KernelClassifier::two_class(KernelMachine(points, {1.0, -1.0}, Kernel(1.0), 0.0), "a", "b"));
  const Model knn(NeighborModel(points, {0, 1}, {"a", "b"}, 1));
  for (const Model& model : {svm, knn}) {
    const Explanation explanation =
        explain(model, Matrix(3, 1, {0.0, 1.0, 2.0}), EtaRule{}, in_g());
    expect_finite(explanation);
    EXPECT_EQ(explanation.g[1], 0.0);
  }
}

TEST(Extremes, DuplicatesAndPointsThatEqualTheRow) {
  Matrix points(6, 2, 1.0);
  const std::vector<double> coefficients{1.0, 1.0, 1.0, -1.0, -1.0, -2.0};
  const Model svm(
      KernelClassifier::two_class(KernelMachine(points, coefficients, Kernel(1e4), 0.0), "a", "b"));
  const Model knn(NeighborModel(points, {0, 1, 0, 1, 0, 1}, {"a", "b"}, 3));
  const Matrix rows(2, 2, {1.0, 1.0, 3.0, -2.0});
  expect_finite(explain(svm, rows, EtaRule{}, in_g()));
  const Explanation tied = explain(knn, rows, EtaRule{}, in_g());
  expect_finite(tied);
  EXPECT_EQ(tied.prediction[0], 0u);  // the three nearest by index are 0, 1, 2
  EXPECT_EQ(tied.g[0], 0.0);
  EXPECT_TRUE(tied.tie[0]);
}

TEST(Extremes, FiveThousandFeatures) {
  Random random(3);
  const Matrix points = reference::random_matrix(random, 10, 5000);
  const Matrix rows = reference::random_matrix(random, 2, 5000);
  std::vector<double> coefficients;
  for (int n = 0; n < 10; ++n) coefficients.push_back(n % 2 == 0 ? 1.0 : -1.5);
  const Model svm(KernelClassifier::two_class(
      KernelMachine(points, coefficients, Kernel(1e-3), 0.1), "a", "b"));
  const Model knn(NeighborModel(points, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, {"a", "b"}, 5));
  expect_finite(explain(svm, rows, EtaRule{}, in_g()));
  expect_finite(explain(knn, rows, EtaRule{}, in_g()));
}

TEST(Extremes, NotANumberIsRefusedByName) {
  const Model model(KernelClassifier::two_class(KernelMachine(Matrix(2, 2, {0.0, 1.0, 2.0, 3.0}),
                                                              {1.0, -1.0}, Kernel(1.0), 0.0),
                                                "a", "b"),
                    {}, {"height", "weight"});
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1e200}) {
    try {
      explain(model, Matrix(2, 2, {0.0, 0.0, 1.0, bad}), EtaRule{}, in_g());
      FAIL() << "expected an error for " << bad;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find("row 2, feature \"weight\""), std::string::npos)
          << error.what();
    }
  }
}

// A square that overflows would lose neighbors, and with them the vote.
TEST(Extremes, PreprocessingThatLeavesTheRangeIsRefused) {
  const AffineMap huge({0.0, 0.0}, {1.0, 1e80});
  const Matrix points(4, 2, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0});
  const Model svm(KernelClassifier::two_class(
                      KernelMachine(points, {1.0, -1.0, 1.0, -1.0}, Kernel(1.0), 0.0), "a", "b"),
                  huge);
  const Model knn(NeighborModel(points, {0, 1, 0, 1}, {"a", "b"}, 3), huge);
  const std::string expected =
      "row 600, feature 2 behind the preprocessing is 1e+110, expected a number within ±1e+100";
  Matrix rows(1000, 2);
  rows(599, 1) = rows(900, 1) = 1e30;
  ExplainOptions options = in_g();
  for (const Model& model : {svm, knn}) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      options.threads = threads;
      EXPECT_EQ(error_of([&] { explain(model, rows, EtaRule{}, options); }), expected);
      EXPECT_EQ(error_of([&] { predict(model, rows); }), expected);
    }
  }
}

TEST(Extremes, AReferenceThatPreprocessingTakesOutOfTheRangeIsRefused) {
  const Matrix points(2, 1, {100.0, 101.0});
  const auto model = [&](double scale) {
    return Model(
        KernelClassifier::two_class(KernelMachine(points, {1.0, -1.0}, Kernel(1.0), 0.0), "a", "b"),
        AffineMap({0.0}, {scale}));
  };
  const std::string expected =
      "the reference: a feature on the other side of the preprocessing is 1e+110, expected a "
      "number "
      "within ±1e+100";
  ExplainOptions given = in_g();
  given.reference = {Reference::Kind::given, {1e30}};
  EXPECT_EQ(error_of([&] { explain(model(1e80), Matrix(1, 1), EtaRule{}, given); }), expected);
  ExplainOptions mean = in_g();
  mean.reference.kind = Reference::Kind::mean;
  EXPECT_NE(error_of([&] {
              explain(model(1e-200), Matrix(1, 1), EtaRule{}, mean);
            }).find("the reference: "),
            std::string::npos);
}

TEST(Extremes, AMatrixWithoutColumnsIsNoPreprocessing) {
  EXPECT_EQ(error_of([] { AffineMap({}, {}, Matrix(2, 0)); }),
            "preprocessing: the matrix has no columns, expected one for every input");
}

}  // namespace
}  // namespace bisector
