// Explanations behind a linear map are about the map's inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/explain.h"
#include "core/linalg/vectors.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

using reference::Vector;

void expect_rows_near(const Matrix& actual, const Matrix& expected, double tolerance) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  for (std::size_t r = 0; r < actual.rows(); ++r) {
    // A row that sits on a point has relevances near zero, which rounding x in the map moves.
    double scale = 1e-3;
    for (const double value : expected.row(r)) scale = std::max(scale, std::abs(value));
    for (std::size_t d = 0; d < actual.cols(); ++d)
      EXPECT_NEAR(actual(r, d), expected(r, d), tolerance * scale)
          << "row " << r << ", feature " << d;
  }
}

TEST(Preprocessing, FeatureWiseMapsLeaveTheRelevanceOfTheScaledFeatures) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    Random random(seed);
    Vector shift, scale;
    for (std::size_t d = 0; d < m.points.cols(); ++d) {
      shift.push_back(random.normal());
      scale.push_back(std::copysign(reference::log_uniform(random, -1, 1), random.normal()));
    }
    Matrix raw = m.rows;
    for (std::size_t r = 0; r < raw.rows(); ++r) {
      for (std::size_t d = 0; d < raw.cols(); ++d) raw(r, d) = raw(r, d) / scale[d] + shift[d];
    }
    const KernelClassifier classifier = KernelClassifier::two_class(m.machine(), "a", "b");
    const Explanation plain = explain(Model(classifier), m.rows, EtaRule{}, in_g());
    const Explanation mapped =
        explain(Model(classifier, AffineMap(shift, scale)), raw, EtaRule{}, in_g());
    // Mapping there and back moves x by some eps, which gamma multiplies.
    expect_rows_near(mapped.relevance, plain.relevance, 1e-9 * (1.0 + m.gamma));
  }
}

TEST(Preprocessing, MatricesAgainstTheNestedSums) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    Random random(seed);
    const std::size_t outputs = m.points.cols(), inputs = outputs + random.below(4);
    const Matrix matrix = reference::random_matrix(random, outputs, inputs);
    Vector shift, scale, offset;
    for (std::size_t d = 0; d < inputs; ++d) {
      shift.push_back(random.normal());
      scale.push_back(reference::log_uniform(random, -0.5, 0.5));
    }
    for (std::size_t o = 0; o < outputs; ++o) offset.push_back(random.normal());
    const AffineMap map(shift, scale, matrix, offset);
    const Model model(KernelClassifier::two_class(m.machine(), "a", "b"), map);
    const Matrix raw = reference::random_matrix(random, 2, inputs, 0.3);

    Matrix a(outputs, inputs), a_transposed(inputs, outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t d = 0; d < inputs; ++d)
        a(o, d) = a_transposed(d, o) = matrix(o, d) * scale[d];
    }
    const Matrix a_inverse = linalg::pseudo_inverse(a);
    EtaRule rule;
    ExplainOptions options = in_g();
    rule.eta = random.uniform();
    options.reference.kind = Reference::Kind::given;
    for (std::size_t d = 0; d < inputs; ++d) options.reference.point.push_back(random.normal());
    Vector r(outputs), x(outputs);
    map.apply(options.reference.point, r);
    const Explanation explanation = explain(model, raw, rule, options);
    for (std::size_t row = 0; row < raw.rows(); ++row) {
      map.apply(raw.row(row), x);
      const auto pools = reference::pools_at(m.points, m.coefficients, m.intercept, x);
      const auto net = reference::layers(m.gamma, x, pools);
      const Vector expected = reference::relevance_behind(
          a_transposed, a_inverse, *rule.eta, raw.row(row), options.reference.point, r, pools,
          reference::positive_weights(m.gamma, net, 0), reference::negative_weights(m.gamma, net));
      double size = 1e-300;
      for (const double value : expected) size = std::max(size, std::abs(value));
      for (std::size_t d = 0; d < inputs; ++d)
        EXPECT_NEAR(explanation.relevance(row, d), expected[d], 1e-8 * (1.0 + m.gamma) * size);
      EXPECT_NEAR(explanation.g[row], net.g, 1e-9 * (1.0 + std::abs(net.g)) * (1.0 + m.gamma));
    }
  }
}

TEST(Preprocessing, ADiagonalMatrixIsAScale) {
  const auto m = reference::random_machine(5);
  const std::size_t features = m.points.cols();
  Matrix diagonal(features, features);
  Vector scale;
  for (std::size_t d = 0; d < features; ++d) {
    scale.push_back(0.5 + static_cast<double>(d));
    diagonal(d, d) = scale.back();
  }
  const Vector zero(features, 0.0), one(features, 1.0);
  const KernelClassifier classifier = KernelClassifier::two_class(m.machine(), "a", "b");
  const Explanation by_scale =
      explain(Model(classifier, AffineMap(zero, scale)), m.rows, EtaRule{}, in_g());
  const Explanation by_matrix =
      explain(Model(classifier, AffineMap(zero, one, diagonal)), m.rows, EtaRule{}, in_g());
  expect_rows_near(by_matrix.relevance, by_scale.relevance, 1e-9);
}

TEST(Preprocessing, NeighborsBehindAMatrix) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 2, true);
    const std::size_t features = m.points.cols();
    Vector zero(features, 0.0), scale(features, 2.0);
    Matrix matrix(features, features);
    for (std::size_t d = 0; d < features; ++d) matrix(d, d) = 2.0;
    const Predictor predictor = m.model().predictor();
    const Explanation by_scale =
        explain(Model(predictor, AffineMap(zero, scale)), m.rows, EtaRule{}, in_g());
    const Explanation by_matrix =
        explain(Model(predictor, AffineMap(zero, Vector(features, 1.0), matrix)), m.rows, EtaRule{},
                in_g());
    EXPECT_EQ(by_scale.g, by_matrix.g);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      for (std::size_t d = 0; d < features; ++d)
        EXPECT_NEAR(by_matrix.relevance(r, d), by_scale.relevance(r, d), 1e-9);
    }
  }
}

}  // namespace
}  // namespace bisector
