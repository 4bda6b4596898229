// The theorems for kernel machines, each over thousands of random models: the neuralized network
// decides like the machine, and the moments give what the nested sums give.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

using reference::Vector;

/// Below this, doubles have fewer digits.
constexpr double kSubnormal = 1e-305;

double largest(const Vector& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Everything the reference implementation says about row r of a random machine.
struct Definition {
  reference::Pools pools;
  reference::Layers net;
  Vector p_i, p_j;

  Definition(const reference::RandomMachine& m, std::size_t r, double beta)
      : pools(reference::pools_at(m.points, m.coefficients, m.intercept, m.rows.row(r))),
        net(reference::layers(m.gamma, m.rows.row(r), pools)),
        p_i(reference::positive_weights(beta, net, 0)),
        p_j(reference::negative_weights(beta, net)) {}
};

void expect_near_relative(std::span<const double> actual, const Vector& expected,
                          double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t d = 0; d < expected.size(); ++d)
    EXPECT_NEAR(actual[d], expected[d], tolerance * largest(expected) + kSubnormal)
        << "feature " << d;
}

TEST(SoftRelevance, DecidesLikeTheMachine) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    const Explanation explanation = explain(reference::two_class(m), m.rows, EtaRule{}, in_g());
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const double f =
          reference::decision(m.points, m.coefficients, m.gamma, m.intercept, m.rows.row(r));
      const Definition definition(m, r, m.gamma);
      EXPECT_NEAR(explanation.g[r], definition.net.g, 1e-9 * (1.0 + std::abs(definition.net.g)));
      EXPECT_NEAR(explanation.decision[r], f, 1e-9 * (1.0 + std::abs(f)));
      if (std::abs(f) > 1e-9) {
        EXPECT_EQ(explanation.g[r] > 0.0, f > 0.0);
      }
    }
  }
}

TEST(SoftRelevance, EqualsTheNestedSumsInDoubleAndInFloat) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    Random random(seed + 1'000'000);
    EtaRule rule;
    ExplainOptions options = in_g();
    rule.eta = random.uniform();
    rule.responsibilities.beta =
        seed % 4 == 0 ? m.gamma * reference::log_uniform(random, -0.5, 0.5) : m.gamma;
    options.reference = {Reference::Kind::origin, {}};
    const Explanation exact = explain(reference::two_class(m), m.rows, rule, options);
    options.precision = Precision::float32;
    const Explanation single = explain(reference::two_class(m), m.rows, rule, options);
    const Vector origin(m.rows.cols(), 0.0);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const Definition definition(m, r, *rule.responsibilities.beta);
      const Vector expected = reference::relevance(
          *rule.eta, m.rows.row(r), origin, definition.pools, definition.p_i, definition.p_j);
      expect_near_relative(exact.relevance.row(r), expected, 1e-9);
      expect_near_relative(single.relevance.row(r), expected, 1e-4);
    }
  }
}

TEST(SoftRelevance, PositiveResponsibilitiesDoNotDependOnJ) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    const Definition definition(m, 1, m.gamma);
    const Network network =
        Explainer(reference::two_class(m), EtaRule{}, in_g()).network(m.rows.row(1));
    ASSERT_EQ(network.positive_weights.size(), definition.p_i.size());
    for (std::size_t j = 0; j < definition.net.h.size(); ++j) {
      const Vector p_i = reference::positive_weights(m.gamma, definition.net, j);
      for (std::size_t i = 0; i < p_i.size(); ++i) EXPECT_NEAR(p_i[i], definition.p_i[i], 1e-9);
    }
  }
}

TEST(SoftRelevance, NetworkShowsTheLayersOfThePaper) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    // two_class() sorts the points by sign, and so does the reference.
    const Definition definition(m, 1, m.gamma);
    const Network network =
        Explainer(reference::two_class(m), EtaRule{}, in_g()).network(m.rows.row(1));
    ASSERT_EQ(network.hidden.size(), definition.net.h.size());
    const double scale = 1.0 + std::abs(definition.net.g);
    for (std::size_t j = 0; j < network.hidden.size(); ++j) {
      EXPECT_NEAR(network.hidden[j], definition.net.h[j],
                  1e-8 * (scale + std::abs(definition.net.h[j])));
      EXPECT_NEAR(network.negative_weights[j], definition.p_j[j], 1e-9);
      for (std::size_t i = 0; i < network.positive.size(); ++i)
        EXPECT_NEAR(network.detection(i, j), definition.net.z(i, j),
                    1e-8 * (scale + std::abs(definition.net.z(i, j))));
    }
    EXPECT_NEAR(network.g, definition.net.g, 1e-9 * scale);
    for (const auto& weights : {network.positive_weights, network.negative_weights})
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
  }
}

// sum_d E_1,d = sum_ij p_i p_j (z_ij - b_ij): with eta = 1 no relevance is lost or made.
TEST(SoftRelevance, ConservesTheWeightedDetectionsAtEtaOne) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    EtaRule rule;
    rule.eta = 1.0;
    const Explanation explanation = explain(reference::two_class(m), m.rows, rule, in_g());
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const Definition definition(m, r, m.gamma);
      double expected = 0.0, scale = 0.0;
      for (std::size_t i = 0; i < definition.p_i.size(); ++i) {
        for (std::size_t j = 0; j < definition.p_j.size(); ++j) {
          const double bias =
              std::log(definition.pools.positive[i].alpha / definition.pools.negative[j].alpha) /
              m.gamma;
          expected += definition.p_i[i] * definition.p_j[j] * (definition.net.z(i, j) - bias);
          scale += definition.p_i[i] * definition.p_j[j] *
                   (std::abs(definition.net.z(i, j)) + std::abs(bias));
        }
      }
      const auto row = explanation.relevance.row(r);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), expected, 1e-9 * (1.0 + scale));
    }
  }
}

// E_0 = (x - r) * gradient of g. The virtual point's score is constant in x, so the true g is what
// finite differences see.
TEST(SoftRelevance, IsGradientTimesInputOnGAtEtaZero) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto m = reference::random_machine(seed);
    m.gamma = std::min(m.gamma, 3.0);  // stiffer machines are too curved for finite differences
    const Model model = reference::two_class(m);
    EtaRule rule;
    ExplainOptions options = in_g();
    rule.eta = 0.0;
    options.reference = {Reference::Kind::origin, {}};
    const Explainer explainer(model, rule, options);
    const Explanation at = explainer(m.rows);
    for (std::size_t d = 0; d < m.rows.cols(); ++d) {
      const double h = 1e-5;
      Matrix up = m.rows, down = m.rows;
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        up(r, d) += h;
        down(r, d) -= h;
      }
      const Explanation high = explainer(up), low = explainer(down);
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        const double gradient = (high.g[r] - low.g[r]) / (2.0 * h);
        EXPECT_NEAR(at.relevance(r, d), m.rows(r, d) * gradient,
                    1e-5 * (1.0 + std::abs(gradient) + std::abs(at.g[r])));
      }
    }
  }
}

TEST(SoftRelevance, DoesNotDependOnTheOrderOfThePoints) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    auto shuffled = m;
    std::vector<std::size_t> order(m.points.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random(seed).shuffle(std::span(order));
    for (std::size_t n = 0; n < order.size(); ++n) {
      std::ranges::copy(m.points.row(order[n]), shuffled.points.row(n).begin());
      shuffled.coefficients[n] = m.coefficients[order[n]];
    }
    const Explanation a = explain(reference::two_class(m), m.rows, EtaRule{}, in_g());
    const Explanation b = explain(reference::two_class(shuffled), m.rows, EtaRule{}, in_g());
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const Vector expected(a.relevance.row(r).begin(), a.relevance.row(r).end());
      expect_near_relative(b.relevance.row(r), expected, 1e-10);
      EXPECT_NEAR(a.g[r], b.g[r], 1e-10 * (1.0 + std::abs(a.g[r])));
    }
  }
}

TEST(SoftRelevance, MovesWithDataAndReference) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    Random random(seed);
    auto moved = m;
    Vector shift(m.points.cols()), base(m.points.cols());
    for (std::size_t d = 0; d < shift.size(); ++d) {
      shift[d] = 100.0 * random.normal();
      base[d] = random.normal();
      for (std::size_t n = 0; n < m.points.rows(); ++n) moved.points(n, d) += shift[d];
      for (std::size_t r = 0; r < m.rows.rows(); ++r) moved.rows(r, d) += shift[d];
    }
    EtaRule rule;
    ExplainOptions options = in_g();
    rule.eta = 0.4;
    options.reference = {Reference::Kind::given, base};
    const Explanation a = explain(reference::two_class(m), m.rows, rule, options);
    for (std::size_t d = 0; d < shift.size(); ++d) options.reference.point[d] += shift[d];
    const Explanation b = explain(reference::two_class(moved), moved.rows, rule, options);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const Vector expected(a.relevance.row(r).begin(), a.relevance.row(r).end());
      // The shifted coordinates themselves are rounded at 1e-14 and gamma multiplies that.
      expect_near_relative(b.relevance.row(r), expected, 1e-9 * (1.0 + m.gamma));
    }
  }
}

// An ignored intercept keeps g (and its sign) and takes the virtual point out of the relevance.
TEST(SoftRelevance, CanIgnoreTheIntercept) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    EtaRule rule;
    ExplainOptions options = in_g();
    rule.eta = 0.6;
    options.reference = {Reference::Kind::origin, {}};
    const Explanation with = explain(reference::two_class(m), m.rows, rule, options);
    rule.responsibilities.ignore_intercept = true;
    const Explanation without = explain(reference::two_class(m), m.rows, rule, options);
    EXPECT_EQ(with.g, without.g);
    auto bare = m;
    bare.intercept = 0.0;
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const Definition definition(bare, r, m.gamma);
      expect_near_relative(without.relevance.row(r),
                           reference::relevance(0.6, m.rows.row(r), Vector(m.rows.cols(), 0.0),
                                                definition.pools, definition.p_i, definition.p_j),
                           1e-9);
    }
  }
}

TEST(SoftRelevance, IsTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  auto m = reference::random_machine(7);
  Random random(7);
  m.rows = reference::random_matrix(random, 300, m.points.cols());
  ExplainOptions options = in_g();
  options.threads = 1;
  const Model model = reference::two_class(m);
  const Explanation one = explain(model, m.rows, EtaRule{}, options);
  options.threads = 5;
  EXPECT_EQ(explain(model, m.rows, EtaRule{}, options).relevance, one.relevance);
  const Explainer explainer(model, EtaRule{}, options);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const Explanation alone = explainer(m.rows.view().rows(r, 1));
    ASSERT_EQ(std::vector<double>(alone.relevance.row(0).begin(), alone.relevance.row(0).end()),
              std::vector<double>(one.relevance.row(r).begin(), one.relevance.row(r).end()));
    ASSERT_EQ(alone.g[0], one.g[r]);
  }
}

}  // namespace
}  // namespace bisector
