// The theorems for neighbor models: odd k as in the paper, even k and many classes by the
// extension, centroids as neighbors of rank one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

using reference::Vector;

double q_th(const std::vector<std::pair<double, std::size_t>>& order, std::size_t q) {
  return q <= order.size() ? order[q - 1].first : std::numeric_limits<double>::infinity();
}

/// Relevance of a row by the nested sums over the two bands.
Vector twin_relevance(const reference::RandomNeighbors& m, std::span<const double> x, double eta,
                      std::size_t positive, std::size_t negative, std::size_t q,
                      std::size_t kappa) {
  const auto p = reference::ranked(m.points, m.classes, positive, x);
  const auto n = reference::ranked(m.points, m.classes, negative, x);
  const reference::Pools pools{reference::band(m.points, p, q, kappa),
                               reference::band(m.points, n, q, kappa)};
  const auto uniform = [](const auto& pool) {
    return Vector(pool.size(), 1.0 / static_cast<double>(pool.size()));
  };
  return reference::relevance(eta, x, Vector(x.size(), 0.0), pools, uniform(pools.positive),
                              uniform(pools.negative));
}

/// If several points are equally far, any of them may have the last places: every choice of these,
/// by class, with the decision that follows.
class Orders {
 public:
  Orders(const Matrix& points, const std::vector<std::size_t>& classes, std::size_t class_count,
         std::size_t k, std::span<const double> x)
      : votes_(class_count, 0), equal_(class_count, 0) {
    std::vector<std::vector<std::pair<double, std::size_t>>> ranked;
    std::vector<double> all;
    for (std::size_t c = 0; c < class_count; ++c) {
      ranked.push_back(reference::ranked(points, classes, c, x));
      for (const auto& [distance, index] : ranked.back()) all.push_back(distance);
    }
    std::ranges::sort(all);
    open_ = k;
    for (std::size_t c = 0; c < class_count; ++c) {
      for (const auto& [distance, index] : ranked[c]) {
        votes_[c] += distance < all[k - 1];
        equal_[c] += distance == all[k - 1];
      }
      open_ -= votes_[c];
    }
  }

  /// True where c and e have equal votes, or some order gives them another difference; and, where
  /// there is more than one, where another class gets as many votes as `winner`.
  bool differ(std::size_t winner, std::size_t c, std::size_t e, double difference) const {
    return differ(winner, c, e, difference, votes_, 0, open_);
  }

 private:
  bool differ(std::size_t winner, std::size_t c, std::size_t e, double difference,
              std::vector<std::size_t> votes, std::size_t at, std::size_t open) const {
    if (at == votes.size()) {
      if (open > 0) return false;
      const double other = static_cast<double>(votes[c]) - static_cast<double>(votes[e]);
      bool is_reached = false;
      for (std::size_t g = 0; g < votes.size(); ++g)
        is_reached = is_reached || (g != winner && votes[g] >= votes[winner]);
      const auto all = std::accumulate(equal_.begin(), equal_.end(), std::size_t{0});
      return difference == 0.0 || other != difference || (all > open_ && is_reached);
    }
    for (std::size_t given = 0; given <= std::min(open, equal_[at]); ++given) {
      auto tried = votes;
      tried[at] += given;
      if (differ(winner, c, e, difference, std::move(tried), at + 1, open - given)) return true;
    }
    return false;
  }

  std::vector<std::size_t> votes_, equal_;  // nearer than the k-th, and as far
  std::size_t open_ = 0;
};

void expect_relevance(std::span<const double> actual, const Vector& expected) {
  double scale = 0.0;
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  // Bands of equal points leave only the reference's own rounding.
  const double rounding = 1e-15;
  for (std::size_t d = 0; d < expected.size(); ++d)
    EXPECT_NEAR(actual[d], expected[d], 1e-9 * scale + rounding) << "feature " << d;
}

ExplainOptions from_origin() {
  ExplainOptions options = in_g();
  options.reference = {Reference::Kind::origin, {}};
  return options;
}

TEST(RankedRelevance, OddKAsInThePaper) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 2, true);
    const std::size_t q = (m.k + 1) / 2, kappa = (m.k - 1) / 2;
    const Explanation explanation = explain(m.model(), m.rows, EtaRule{}, from_origin());
    const Predictions predictions = predict(m.model(), m.rows);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const auto x = m.rows.row(r);
      const auto votes = reference::votes(m.points, m.classes, 2, m.k, x);
      const std::size_t winner = votes[1] > votes[0] ? 1 : 0;
      EXPECT_EQ(explanation.prediction[r], winner);
      EXPECT_EQ(predictions.classes[r], winner);
      EXPECT_EQ(explanation.positive[r], 1u);
      const double g = q_th(reference::ranked(m.points, m.classes, 0, x), q) -
                       q_th(reference::ranked(m.points, m.classes, 1, x), q);
      EXPECT_DOUBLE_EQ(explanation.g[r], g);
      // Equal q-th distances are decided by index in the vote and are zero in g: a tie.
      const double difference = static_cast<double>(votes[1]) - static_cast<double>(votes[0]);
      EXPECT_EQ(explanation.tie[r],
                Orders(m.points, m.classes, 2, m.k, x).differ(winner, 1, 0, difference));
      EXPECT_TRUE(explanation.tie[r] || g != 0.0);
      if (g != 0.0) {
        EXPECT_EQ(g > 0.0, winner == 1);
      }
      expect_relevance(explanation.relevance.row(r), twin_relevance(m, x, 0.8, 1, 0, q, kappa));
    }
  }
}

TEST(RankedRelevance, SinglePrecisionFindsTheSameNeighbors) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 2 + seed % 4, false);
    ExplainOptions options = in_g();
    const Explanation exact = explain(m.model(), m.rows, EtaRule{}, options);
    options.precision = Precision::float32;
    const Explanation single = explain(m.model(), m.rows, EtaRule{}, options);
    EXPECT_EQ(exact.relevance, single.relevance);
    EXPECT_EQ(exact.g, single.g);
  }
}

TEST(RankedRelevance, AnyKAndManyClassesByTheExtension) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 2 + seed % 5, false);
    const Explanation explanation = explain(m.model(), m.rows, EtaRule{}, from_origin());
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const auto x = m.rows.row(r);
      const auto votes = reference::votes(m.points, m.classes, m.class_count, m.k, x);
      EXPECT_EQ(explanation.prediction[r],
                std::size_t(std::max_element(votes.begin(), votes.end()) - votes.begin()));
      const std::size_t c = explanation.positive[r], e = explanation.negative[r];
      const std::size_t q = std::max<std::size_t>(1, (votes[c] + votes[e] + 1) / 2);
      const double g = explanation.g[r];
      const double difference = static_cast<double>(votes[c]) - static_cast<double>(votes[e]);
      const Orders orders(m.points, m.classes, m.class_count, m.k, x);
      EXPECT_EQ(explanation.tie[r],
                g == 0.0 || orders.differ(explanation.prediction[r], c, e, difference));
      if (votes[c] > votes[e]) {
        EXPECT_GE(g, 0.0);
      }
      if (votes[c] < votes[e]) {
        EXPECT_LE(g, 0.0);
      }
      expect_relevance(explanation.relevance.row(r),
                       twin_relevance(m, x, 0.8, c, e, q, (m.k - 1) / 2));
      if (m.class_count > 2) {
        EXPECT_EQ(c, explanation.prediction[r]);
        for (std::size_t other = 0; other < m.class_count; ++other) {
          if (other != c) {
            EXPECT_LE(votes[other], votes[e]);
          }
        }
      }
    }
  }
}

// Class c wins the plurality without a tie exactly where every g_ce is positive (distances
// distinct).
TEST(RankedRelevance, WinnerHasPositiveOutputAgainstEveryOther) {
  for (std::uint64_t seed = 1; seed < 1000; seed += 2) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 4, false);
    const auto labels = m.model().labels();
    for (std::size_t c = 0; c < labels.size(); ++c) {
      std::vector<double> smallest(m.rows.rows(), std::numeric_limits<double>::infinity());
      for (std::size_t e = 0; e < labels.size(); ++e) {
        if (e == c) continue;
        ExplainOptions options = in_g();
        options.positive_class = labels[c];
        options.versus = labels[e];
        const Explanation pair = explain(m.model(), m.rows, EtaRule{}, options);
        for (std::size_t r = 0; r < m.rows.rows(); ++r)
          smallest[r] = std::min(smallest[r], pair.tie[r] ? 0.0 : pair.g[r]);
      }
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        const auto votes = reference::votes(m.points, m.classes, 4, m.k, m.rows.row(r));
        bool wins = true;
        for (std::size_t e = 0; e < votes.size(); ++e)
          wins = wins && (e == c || votes[c] > votes[e]);
        EXPECT_EQ(smallest[r] > 0.0, wins) << "class " << c << ", row " << r;
      }
    }
  }
}

TEST(RankedRelevance, SwappingTheClassesTurnsEverySign) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto m = reference::random_neighbors(seed, 3, false);
    ExplainOptions there = in_g(), back = in_g();
    there.positive_class = back.versus = "class 2";
    there.versus = back.positive_class = "class 0";
    const Explanation a = explain(m.model(), m.rows, EtaRule{}, there),
                      b = explain(m.model(), m.rows, EtaRule{}, back);
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      EXPECT_EQ(a.g[r], -b.g[r]);
      for (std::size_t d = 0; d < m.rows.cols(); ++d)
        EXPECT_NEAR(a.relevance(r, d), -b.relevance(r, d),
                    1e-12 * (1 + std::abs(b.relevance(r, d))));
    }
  }
}

TEST(RankedRelevance, KappaWidensTheBand) {
  const auto m = reference::random_neighbors(11, 2, true);
  for (std::size_t kappa = 0; kappa < 8; ++kappa) {
    EtaRule rule;
    ExplainOptions options = from_origin();
    rule.responsibilities.kappa = kappa;
    rule.eta = 0.3;
    const Explanation explanation = explain(m.model(), m.rows, rule, options);
    for (std::size_t r = 0; r < m.rows.rows(); ++r)
      expect_relevance(explanation.relevance.row(r),
                       twin_relevance(m, m.rows.row(r), 0.3, 1, 0, (m.k + 1) / 2, kappa));
  }
}

// On a grid many points are equally far away: wherever the sign of g does not decide as the votes
// do, the row is flagged, and the prediction is the model's own.
TEST(RankedRelevance, TiesOfDistanceAndOfVotesAreFlagged) {
  std::size_t of_distance = 0, of_votes = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::size_t classes = 2 + random.below(3), k = 1 + random.below(6);
    const auto grid = [&](std::size_t rows) {
      Matrix points(rows, 3);
      for (std::size_t r = 0; r < rows; ++r)
        for (double& value : points.row(r)) value = static_cast<double>(random.below(3));
      return points;
    };
    const Matrix points = grid(40), rows = grid(10);
    std::vector<std::size_t> owners;
    std::vector<std::string> labels;
    for (std::size_t n = 0; n < points.rows(); ++n) owners.push_back(random.below(classes));
    for (std::size_t c = 0; c < classes; ++c) labels.push_back(std::to_string(c));
    const Model model(NeighborModel(points, owners, labels, k));
    const Explanation e = explain(model, rows, EtaRule{}, in_g());
    EXPECT_EQ(e.prediction, predict(model, rows).classes);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Orders orders(points, owners, classes, k, rows.row(r));
      EXPECT_EQ(e.tie[r], e.g[r] == 0.0 || orders.differ(e.prediction[r], e.positive[r],
                                                         e.negative[r], e.decision[r]));
      EXPECT_TRUE(e.tie[r] || (e.g[r] > 0.0) == (e.decision[r] > 0.0));
      of_distance += e.g[r] == 0.0 && e.decision[r] != 0.0;
      of_votes += e.decision[r] == 0.0;
    }
  }
  EXPECT_GT(of_distance, 20u);
  EXPECT_GT(of_votes, 20u);
}

// A pool smaller than its rank has an infinite score and still a finite relevance.
TEST(RankedRelevance, PoolsSmallerThanTheRankStayFinite) {
  const Model model(NeighborModel(Matrix(3, 1, {0.0, 1.0, 5.0}), {0, 0, 1}, {"a", "b"}, 3));
  const Explanation explanation = explain(model, Matrix(1, 1, {0.2}), EtaRule{}, in_g());
  EXPECT_EQ(explanation.g[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(explanation.prediction[0], 0u);
  EXPECT_TRUE(std::isfinite(explanation.relevance(0, 0)));
}

TEST(RankedRelevance, CentroidAgainstTheNearestOther) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::size_t count = 2 + random.below(6), features = 1 + random.below(6);
    const Matrix centroids = reference::random_matrix(random, count, features);
    const Matrix rows = reference::random_matrix(random, 3, features);
    std::vector<std::string> labels;
    for (std::size_t c = 0; c < count; ++c) labels.push_back(std::to_string(c));
    const Model model(CentroidModel(centroids, labels));
    const Explanation explanation = explain(model, rows, EtaRule{}, from_origin());
    const Predictions predictions = predict(model, rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t c = 0; c < count; ++c)
        order.emplace_back(reference::squared_distance(rows.row(r), centroids.row(c)), c);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(explanation.prediction[r], order[0].second);
      EXPECT_EQ(predictions.classes[r], order[0].second);
      const double margin = order[1].first - order[0].first;
      const bool turned = explanation.positive[r] != order[0].second;  // two classes: P is fixed
      EXPECT_NEAR(explanation.g[r], turned ? -margin : margin, 1e-12 * (1 + margin));
      EXPECT_EQ(turned ? explanation.positive[r] : explanation.negative[r], order[1].second);
    }
  }
}

TEST(RankedRelevance, NetworkPoolsRanksOfDetections) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_neighbors(seed, 2, true);
    const Network network = Explainer(m.model(), EtaRule{}, in_g()).network(m.rows.row(0));
    const std::size_t q = (m.k + 1) / 2;
    // Eq. 4: h_j is the q-th largest z_ij over i, g the q-th smallest h_j.
    for (std::size_t j = 0; j < network.hidden.size(); ++j) {
      Vector column;
      for (std::size_t i = 0; i < network.positive.size(); ++i)
        column.push_back(network.detection(i, j));
      std::sort(column.rbegin(), column.rend());
      if (q <= column.size()) {
        EXPECT_DOUBLE_EQ(network.hidden[j], column[q - 1]);
      }
    }
    Vector hidden = network.hidden;
    std::sort(hidden.begin(), hidden.end());
    if (q <= hidden.size() && q <= network.positive.size()) {
      EXPECT_DOUBLE_EQ(network.g, hidden[q - 1]);
    }
    for (const auto& weights : {network.positive_weights, network.negative_weights})
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace bisector
