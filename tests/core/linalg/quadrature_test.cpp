#include "core/linalg/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bisector::linalg {
namespace {

double integral(const Quadrature& rule, const auto& f) {
  double sum = 0.0;
  for (std::size_t q = 0; q < rule.nodes.size(); ++q) sum += rule.weights[q] * f(rule.nodes[q]);
  return sum;
}

TEST(GaussLegendre, ThreeNodesAreTheTextbookOnes) {
  const Quadrature rule = gauss_legendre(3);
  const double outer = std::sqrt(0.6) / 2.0;
  EXPECT_DOUBLE_EQ(rule.nodes[0], 0.5 - outer);
  EXPECT_DOUBLE_EQ(rule.nodes[1], 0.5);
  EXPECT_DOUBLE_EQ(rule.nodes[2], 0.5 + outer);
  EXPECT_DOUBLE_EQ(rule.weights[0], 5.0 / 18.0);
  EXPECT_DOUBLE_EQ(rule.weights[1], 8.0 / 18.0);
}

TEST(GaussLegendre, IntegratesPolynomialsUpToTwiceTheNodesExactly) {
  for (std::size_t count = 1; count <= 40; ++count) {
    const Quadrature rule = gauss_legendre(count);
    for (std::size_t degree = 0; degree < 2 * count; ++degree) {
      const auto power = static_cast<double>(degree);
      const double exact = 1.0 / (power + 1.0);
      EXPECT_NEAR(integral(rule, [&](double t) { return std::pow(t, power); }), exact,
                  1e-14 * exact)
          << count << " nodes, degree " << degree;
    }
  }
}

TEST(GaussLegendre, IsNotExactBeyond) {
  const Quadrature rule = gauss_legendre(4);
  EXPECT_GT(
      std::abs(integral(rule, [](double t) { return std::pow(2.0 * t - 1.0, 8.0); }) - 1.0 / 9.0),
      1e-4);
}

// T_k(cos a) = cos(k a): every node counts, and an error of a node shows k times.
TEST(GaussLegendre, ThousandsOfNodesKeepTheirDigits) {
  for (const std::size_t count : {501, 2000, 5001}) {
    const Quadrature rule = gauss_legendre(count);
    EXPECT_NEAR(integral(rule, [](double) { return 1.0; }), 1.0, 1e-14);
    for (const std::size_t degree : {count, 2 * count - 1, 2 * count - 2}) {
      const auto k = static_cast<double>(degree);
      const double exact = degree % 2 == 1 ? 0.0 : 1.0 / (1.0 - k * k);
      EXPECT_NEAR(integral(rule, [&](double t) { return std::cos(k * std::acos(2.0 * t - 1.0)); }),
                  exact, 1e-15 * k)
          << count << " nodes, degree " << degree;
    }
    for (std::size_t q = 1; q < count; ++q) ASSERT_LT(rule.nodes[q - 1], rule.nodes[q]);
  }
}

}  // namespace
}  // namespace bisector::linalg
