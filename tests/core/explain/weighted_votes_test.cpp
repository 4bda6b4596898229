// Votes of any weight, regressors by neighbors and detectors against sorting all points.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/baselines.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/plain_votes.h"
#include "reference/random_distances.h"

namespace bisector {
namespace {

using reference::Vector;

constexpr std::uint64_t kModels = 1500;

/// False where a radius leaves a row alone.
bool has_neighbors(const reference::RandomVoters& voters, std::span<const double> row) {
  return reference::plain_vote(voters.points, voters.k, voters.vote, row).count > 0;
}

/// Distances that are equal but for their last digits are in another order elsewhere.
bool is_close_call(const reference::PlainVote& vote, const NeighborVote& of) {
  return reference::is_by_order(vote, of, 1e-12);
}

TEST(WeightedVotes, AgreeWithSortingAllDistances) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const auto voters = reference::random_voters(seed);
    const std::size_t classes = 2 + seed % 3;
    const NeighborModel neighbors = reference::random_weighted_neighbors(voters, classes);
    const Model model(neighbors);
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r));
      const auto x = voters.rows.row(r);
      if (!has_neighbors(voters, x)) {
        const Explanation alone = explain(model, {x.data(), 1, x.size()}, EtaRule{}, in_g());
        EXPECT_TRUE(alone.without_neighbors[0] && alone.tie[0] && alone.outside[0]);
        EXPECT_EQ(alone.decision[0], 0.0);
        continue;
      }
      const Explanation e = explain(model, {x.data(), 1, x.size()}, EtaRule{1.0}, in_g());
      const std::size_t p = e.positive[0], n = e.negative[0];
      const auto vote = reference::plain_vote(voters.points, voters.k, voters.vote, x);
      if (is_close_call(vote, voters.vote)) continue;
      const Vector votes = reference::class_votes(neighbors, x);
      // Weighted votes are shares of the vote.
      const double unit = voters.vote.is_plain() ? 1.0 : vote.total;
      EXPECT_NEAR(e.decision[0], (votes[p] - votes[n]) / unit, 1e-9);
      const double rounding = 1e-12 * (votes[p] + votes[n]);
      if (std::abs(votes[p] - votes[n]) <= rounding) continue;
      Vector point_values(voters.points.rows(), 0.0);
      for (std::size_t i = 0; i < point_values.size(); ++i)
        point_values[i] = neighbors.classes()[i] == p   ? 1.0
                          : neighbors.classes()[i] == n ? -1.0
                                                        : 0.0;
      const double g = reference::vote_output(vote, point_values);
      EXPECT_TRUE(e.g[0] == g || std::abs(e.g[0] - g) <= 1e-9 * (1.0 + std::abs(g)))
          << e.g[0] << " " << g;
      if (!e.tie[0]) {
        EXPECT_EQ(e.g[0] > 0.0, votes[p] > votes[n]);
      }
      const bool leads =
          votes[e.prediction[0]] >= *std::max_element(votes.begin(), votes.end()) - rounding;
      EXPECT_TRUE(leads);
      ++judged;
    }
  }
  EXPECT_GT(judged, 4000u);
}

TEST(WeightedVotes, RegressorsAreMeansAndContrastsWithALevel) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const auto voters = reference::random_voters(seed);
    const NeighborRegressor regressor = reference::random_neighbor_regressor(voters, seed);
    const Model model(regressor);
    ExplainOptions options = in_g();
    if (seed % 2 == 0) options.level = 0.2;
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      const auto x = voters.rows.row(r);
      const auto vote = reference::plain_vote(voters.points, voters.k, voters.vote, x);
      if (vote.count == 0 || is_close_call(vote, voters.vote)) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r));
      const Explainer explainer(model, EtaRule{1.0}, options);
      const Explanation e = explainer({x.data(), 1, x.size()});
      const double level = *explainer.settings().level,
                   value = reference::mean_target(regressor, x);
      EXPECT_NEAR(e.value[0], value, 1e-9);
      EXPECT_NEAR(predict(model, {x.data(), 1, x.size()}).decisions(0, 0), value, 1e-9);
      EXPECT_NEAR(e.decision[0], value - level, 1e-9);
      if (std::abs(value - level) < 1e-12) continue;
      Vector point_values;
      for (const double target : regressor.targets()) point_values.push_back(target - level);
      const double g = reference::vote_output(vote, point_values);
      EXPECT_TRUE(e.g[0] == g || std::abs(e.g[0] - g) <= 1e-9 * (1.0 + std::abs(g)));
      if (!e.tie[0]) {
        EXPECT_EQ(e.g[0] > 0.0, value > level);
      }
      ++judged;
    }
  }
  EXPECT_GT(judged, 4000u);
}

/// Two classes around 0 and 10, with rows beside both and one row between them.
Model within_a_radius(std::optional<std::size_t> outlier_class,
                      NeighborVote::Weights weights = NeighborVote::Weights::uniform) {
  NeighborVote vote;
  vote.weights = weights;
  vote.radius = 2.0;
  vote.outlier_class = outlier_class;
  return Model(NeighborModel(Matrix(6, 2, {0, 0, 1, 0, 0, 1, 10, 0, 11, 0, 10, 1}),
                             {0, 0, 0, 1, 1, 1}, {"a", "b"}, 1, vote));
}

TEST(WithoutNeighbors, TheRowIsFlaggedAndItsOutputIsTheRemainder) {
  const Matrix rows(3, 2, {0.5, 0.5, 5.0, 0.0, 10.5, 0.5});
  for (const auto weights : {NeighborVote::Weights::uniform, NeighborVote::Weights::distance}) {
    for (const Method& method :
         {Method(Auto{}), Method(EtaRule{}), Method(PathRule{}), Method(NeighborhoodRule{})}) {
      SCOPED_TRACE(name(method));
      const Model model = within_a_radius(std::nullopt, weights);
      const Explanation e = explain(model, rows, method);
      EXPECT_EQ(e.without_neighbors, (std::vector<bool>{false, true, false}));
      EXPECT_TRUE(e.tie[1] && e.outside[1]);
      EXPECT_FALSE(e.tie[0] || e.tie[2]);
      EXPECT_EQ(e.prediction, (std::vector<std::size_t>{0, 0, 1}));
      EXPECT_EQ(e.output, (std::vector<double>{-1.0, 0.0, 1.0}));
      EXPECT_EQ(e.base[1], e.base[0]);
      EXPECT_EQ(Vector(e.relevance.row(1).begin(), e.relevance.row(1).end()), Vector(2, 0.0));
      EXPECT_EQ(e.remainder[1], 0.0 - e.base[1]);
      EXPECT_EQ(predict(model, rows).without_neighbors, (std::vector<std::size_t>{1}));
    }
  }
}

TEST(WithoutNeighbors, TheOutlierClassHasTheWholeVote) {
  const Matrix rows(2, 2, {0.5, 0.5, 5.0, 0.0});
  for (const std::size_t own : {0u, 1u}) {
    const Model model = within_a_radius(own);
    const Explanation e = explain(model, rows);
    const double output = own == 1 ? 1.0 : -1.0;  // of the second class
    EXPECT_EQ(e.prediction[1], own);
    EXPECT_EQ(e.output[1], output);
    EXPECT_EQ(predict(model, rows).decisions(1, 0), output);
    EXPECT_EQ(predict(model, rows).classes[1], own);
    EXPECT_TRUE(e.without_neighbors[1] && e.tie[1] && e.outside[1]);
    const ClassExplanations all = Explainer(model).all_classes(rows);
    EXPECT_EQ(all.output(1, own), 1.0);
    EXPECT_EQ(all.output(1, 1 - own), -1.0);
  }
  EXPECT_NE(error_of([] { within_a_radius(2); }).find("the outlier class is 2"), std::string::npos);
  NeighborVote vote;
  vote.outlier_class = 0;
  EXPECT_NE(error_of([&] {
              NeighborModel(Matrix(2, 1, {0, 1}), {0, 1}, {"a", "b"}, 1, vote);
            }).find("without a radius"),
            std::string::npos);
}

TEST(WithoutNeighbors, ThreeClassesAgainstTheRestGiveTheOutlierClassTheVote) {
  NeighborVote vote;
  vote.radius = 1.0;
  vote.outlier_class = 2;
  const Model model(NeighborModel(Matrix(3, 1, {0, 10, 20}), {0, 1, 2}, {"a", "b", "c"}, 1, vote));
  const ClassExplanations all = Explainer(model).all_classes(Matrix(1, 1, {5.0}));
  EXPECT_EQ((Vector{all.output(0, 0), all.output(0, 1), all.output(0, 2)}),
            (Vector{-1.0, -1.0, 1.0}));
}

TEST(WithoutNeighbors, RegressorsPredictTheMeanTarget) {
  NeighborVote vote;
  vote.radius = 2.0;
  const Model model(NeighborRegressor(Matrix(3, 1, {0, 1, 10}), {1.0, 2.0, 6.0}, 1, vote));
  const Matrix rows(2, 1, {0.5, 5.0});
  EXPECT_EQ(predict(model, rows).decisions(1, 0), 3.0);
  for (const double level : {3.0, 0.5}) {
    ExplainOptions options;
    options.level = level;
    const Explanation e = explain(model, rows, Auto{}, options);
    EXPECT_EQ(e.output, (std::vector<double>{1.5, 3.0}));
    EXPECT_EQ(e.value, e.output);
    EXPECT_TRUE(e.without_neighbors[1]);
    EXPECT_EQ(e.relevance(1, 0), 0.0);
    EXPECT_NEAR(e.base[1] + e.remainder[1], 3.0, 1e-15);
  }
}

TEST(WithoutNeighbors, MethodsOnTheOutputExplainIt) {
  const Explanation e = explain(within_a_radius(1), Matrix(1, 2, {5.0, 0.0}), SampledShapley{});
  EXPECT_NE(e.relevance(0, 0), 0.0);
  EXPECT_NEAR(e.base[0] + e.relevance(0, 0) + e.relevance(0, 1) + e.remainder[0], 1.0, 1e-12);
}

TEST(WeightedVotes, AnExactMatchVotesAlone) {
  NeighborVote vote;
  vote.weights = NeighborVote::Weights::distance;
  const Model model(
      NeighborModel(Matrix(4, 1, {0.0, 0.1, 0.2, 5.0}), {0, 1, 1, 0}, {"a", "b"}, 3, vote));
  const Explanation e = explain(model, Matrix(2, 1, {0.0, 0.05}), EtaRule{1.0}, in_g());
  EXPECT_EQ(e.prediction[0], 0u);  // at distance 0, against two others
  EXPECT_LT(e.g[0], 0.0);          // b is the positive class
  EXPECT_EQ(e.decision[0], -1.0);
  EXPECT_EQ(e.prediction[1], 1u);
}

TEST(WeightedVotes, InfiniteWeightsVoteAloneAndTieAcrossClasses) {
  NeighborVote vote;
  vote.weights = NeighborVote::Weights::inverse;
  vote.decay = {0.0, 2.0, 1.0};
  const Model model(
      NeighborModel(Matrix(5, 1, {0.0, 0.1, 0.2, 5.0, 5.0}), {0, 1, 1, 0, 1}, {"a", "b"}, 3, vote));
  const Explanation e = explain(model, Matrix(3, 1, {0.0, 0.06, 5.0}), EtaRule{1.0}, in_g());
  EXPECT_EQ(e.prediction, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(e.decision[0], -1.0);
  EXPECT_FALSE(e.tie[0]);
  EXPECT_TRUE(e.tie[2]);
  vote.decay.offset = 1e-3;  // 1000 against 1 / 0.011 + 1 / 0.041
  const Model finite(NeighborModel(Matrix(3, 1, {0.0, 0.1, 0.2}), {0, 1, 1}, {"a", "b"}, 3, vote));
  const double others = 1.0 / 0.011 + 1.0 / 0.041;
  EXPECT_NEAR(predict(finite, Matrix(1, 1, {0.0})).decisions(0, 0),
              (others - 1000.0) / (others + 1000.0), 1e-12);
}

// Relative to the nearest, an exponential is never nothing, and neither are infinite powers.
TEST(WeightedVotes, DecideFarAwayFromAllPoints) {
  for (const auto weights : {NeighborVote::Weights::exponential, NeighborVote::Weights::inverse}) {
    NeighborVote vote;
    vote.weights = weights;
    vote.decay = {0.0, 3.0, 40.0};
    const Model model(NeighborModel(Matrix(6, 1, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}),
                                    {0, 1, 1, 0, 1, 1}, {"a", "b"}, 3, vote));
    const Explanation e =
        explain(model, Matrix(4, 1, {-9.0, -1e3, -1e60, -1e99}), EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_TRUE(std::isfinite(e.decision[r]) && std::isfinite(e.g[r])) << r;
      const bool is_first = r == 0 || (r == 1 && weights == NeighborVote::Weights::exponential);
      if (is_first) {
        EXPECT_EQ(e.prediction[r], 0u) << r;  // the nearest has all of the weight
      }
    }
  }
}

// A soft vote of uniform neighbors with several k is one vote by ranks.
TEST(RankWeights, AreAMeanOfUniformVotes) {
  for (std::uint64_t seed = 1; seed < 120; ++seed) {
    auto voters = reference::random_voters(seed, 12);
    voters.vote = {};
    const std::vector<std::size_t> ks{2, 5, 7};
    const std::vector<double> shares{0.2, 0.5, 0.3};
    NeighborVote joint;
    joint.rank_weights.assign(7, 0.0);
    std::vector<double> expected(voters.rows.rows(), 0.0);
    for (std::size_t m = 0; m < ks.size(); ++m) {
      for (std::size_t r = 0; r < ks[m]; ++r)
        joint.rank_weights[r] += shares[m] / static_cast<double>(ks[m]);
      voters.k = ks[m];
      const Predictions own =
          predict(Model(reference::random_neighbor_regressor(voters, seed)), voters.rows);
      for (std::size_t r = 0; r < expected.size(); ++r)
        expected[r] += shares[m] * own.decisions(r, 0);
    }
    voters.k = 7;
    voters.vote = joint;
    const Predictions all =
        predict(Model(reference::random_neighbor_regressor(voters, seed)), voters.rows);
    for (std::size_t r = 0; r < expected.size(); ++r)
      EXPECT_NEAR(all.decisions(r, 0), expected[r], 1e-12) << "seed " << seed;
  }
}

// Points in another order: who is no tie is decided alike.
TEST(RankWeights, OrderOfEqualsMattersInTiesAlone) {
  std::size_t ties = 0, sure = 0;
  for (std::uint64_t seed = 0; seed < 400; seed += 4) {  // on a grid
    auto voters = reference::random_voters(seed, 12);
    voters.k = 4;
    voters.vote = {};
    voters.vote.rank_weights = {4.0, 3.0, 2.0, seed % 8 == 0 ? 2.0 : 0.5};
    const Matrix& points = voters.points;
    Matrix turned(points.rows(), points.cols());
    std::vector<std::size_t> classes, turned_classes;
    std::vector<double> targets, turned_targets;
    for (std::size_t n = 0; n < points.rows(); ++n) {
      std::ranges::copy(points.row(points.rows() - 1 - n), turned.row(n).begin());
      classes.push_back(n % 3);
      targets.push_back(static_cast<double>(n % 5));
    }
    turned_classes.assign(classes.rbegin(), classes.rend());
    turned_targets.assign(targets.rbegin(), targets.rend());
    const std::vector<std::string> labels{"a", "b", "c"};
    const Explanation e = explain(Model(NeighborModel(points, classes, labels, 4, voters.vote)),
                                  voters.rows, EtaRule{1.0}, in_g());
    const Explanation again =
        explain(Model(NeighborModel(turned, turned_classes, labels, 4, voters.vote)), voters.rows,
                EtaRule{1.0}, in_g());
    const Explanation mean = explain(Model(NeighborRegressor(points, targets, 4, voters.vote)),
                                     voters.rows, EtaRule{1.0}, in_g());
    const Explanation mean_again =
        explain(Model(NeighborRegressor(turned, turned_targets, 4, voters.vote)), voters.rows,
                EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      ++(e.tie[r] ? ties : sure);
      if (!e.tie[r]) {
        EXPECT_EQ(e.prediction[r], again.prediction[r]) << "seed " << seed << ", row " << r;
      }
      if (!mean.tie[r]) {
        EXPECT_NEAR(mean.value[r], mean_again.value[r], 1e-12) << "seed " << seed << ", row " << r;
      }
    }
  }
  EXPECT_GT(ties, 100u);
  EXPECT_GT(sure, 100u);
}

TEST(Detectors, AgreeWithSortingAllDistances) {
  std::size_t inside = 0, outside = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto voters = reference::random_voters(seed);
    const OutlierDetector detector = reference::random_detector(voters, seed);
    const Model model(detector);
    const Explanation e = explain(model, voters.rows, EtaRule{1.0}, in_g());
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r));
      const double score = reference::outlier_score(detector, voters.rows.row(r));
      const double expected = detector.threshold() - score;
      EXPECT_NEAR(e.decision[r], expected, 1e-6 * (1.0 + std::abs(expected)));
      if (std::abs(expected) < 1e-9 * (1.0 + score)) continue;
      EXPECT_EQ(e.g[r] > 0.0, expected > 0.0);
      EXPECT_EQ(e.prediction[r], expected > 0.0 ? 0u : 1u);
      ++(expected > 0.0 ? inside : outside);
    }
  }
  EXPECT_GT(inside, 200u);
  EXPECT_GT(outside, 200u);
}

// The level less the parts of the distances is all of g, but for neighbors within their reach.
TEST(Detectors, PartsOfTheDistanceAddUp) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto voters = reference::random_voters(seed);
    const OutlierDetector detector = reference::random_detector(voters, seed);
    if (detector.score() == OutlierDetector::Score::local_outlier_factor) continue;
    EtaRule rule{1.0};
    rule.responsibilities.kappa = 0;
    const Explanation e = explain(Model(detector), voters.rows, rule, in_g());
    for (std::size_t r = 0; r < voters.rows.rows(); ++r)
      EXPECT_NEAR(e.remainder[r], 0.0, 1e-9 * (1.0 + std::abs(e.base[r])))
          << "seed " << seed << ", row " << r;
  }
}

TEST(Detectors, GradientTimesInputIsTheRuleAtEtaZero) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 1; seed < 400; ++seed) {
    if (seed % 4 == 0) continue;  // no grid
    const auto voters = reference::random_voters(seed);
    const OutlierDetector detector = reference::random_detector(voters, seed);
    if (!detector.distance().categories().empty()) continue;
    EtaRule rule{0.0};
    rule.responsibilities.kappa = 0;
    const Explainer explainer(Model(detector), rule, in_g());
    const Explanation e = explainer(voters.rows);
    const auto g = [&](const Vector& x) { return explainer({x.data(), 1, x.size()}).g[0]; };
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      const Vector x = reference::to_vector(voters.rows.row(r));
      const Vector slope = reference::numerical_gradient(g, x, 1e-6);
      const Vector finer = reference::numerical_gradient(g, x, 2e-7);
      for (std::size_t d = 0; d < x.size(); ++d) {
        if (std::abs(slope[d] - finer[d]) > 1e-4 * (1.0 + std::abs(slope[d]))) continue;  // a step
        EXPECT_NEAR(e.relevance(r, d), (x[d] - explainer.settings().reference[d]) * slope[d],
                    2e-3 * (1.0 + std::abs(e.relevance(r, d))))
            << "seed " << seed << ", row " << r << ", feature " << d;
        ++judged;
      }
    }
  }
  EXPECT_GT(judged, 1500u);
}

TEST(Detectors, AMahalanobisLevelIsOnePointBehindAMap) {
  const AffineMap whitening({1.0, -1.0}, {1.0, 1.0}, Matrix(2, 2, {1.0, 0.5, 0.0, 2.0}));
  const OutlierDetector level(Matrix(1, 2, {0.0, 0.0}), 1, OutlierDetector::Score::kth_distance,
                              2.0);
  const Model model(level, whitening);
  const Explanation e = explain(model, Matrix(2, 2, {1.0, -1.0, 4.0, 0.0}), EtaRule{1.0}, in_g());
  EXPECT_EQ(e.prediction, (std::vector<std::size_t>{0, 1}));
  // |A (x - c)|^2 = (3 + 0.5)^2 + 2^2
  EXPECT_NEAR(e.g[1], 4.0 - 16.25, 1e-12);
  EXPECT_NEAR(e.relevance(1, 0) + e.relevance(1, 1), -16.25, 1e-9);
}

TEST(WeightedVotes, EveryMethodThatFitsRunsAndTheOthersSayWhy) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    auto voters = reference::random_voters(seed, 20);
    voters.vote.radius.reset();
    const bool has_categories = !voters.vote.distance.categories().empty();
    for (const Model& model : {Model(reference::random_weighted_neighbors(voters, 3)),
                               Model(reference::random_neighbor_regressor(voters, seed)),
                               Model(reference::random_detector(voters, seed))}) {
      for (const Method& method : all_methods()) {
        const std::string refusal = error_of([&] {
          const Explainer explainer(model, method, in_g());
          const Explanation e = explainer(voters.rows);
          for (std::size_t r = 0; r < e.g.size(); ++r)
            for (const double value : e.relevance.row(r)) EXPECT_TRUE(std::isfinite(value));
        });
        const std::string_view word = name(method);
        const bool needs_gradient =
            word == "gi" || word == "ig" || word == "sensitivity" || word == "shapley-exact";
        const bool is_refused = needs_gradient || (has_categories && word == "lrp-path");
        EXPECT_EQ(refusal == "(no error)", !is_refused) << word << ": " << refusal;
        if (is_refused) {
          EXPECT_TRUE(refusal.find("use ") != std::string::npos ||
                      refusal.find("expected ") != std::string::npos)
              << refusal;
        }
      }
    }
  }
}

TEST(WeightedVotes, AreTheSameForAnyNumberOfThreadsAndAnyCutOfTheRows) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    auto voters = reference::random_voters(seed, 150);
    voters.vote.radius.reset();
    for (const Model& model : {Model(reference::random_weighted_neighbors(voters, 3)),
                               Model(reference::random_neighbor_regressor(voters, seed)),
                               Model(reference::random_detector(voters, seed))}) {
      ExplainOptions one = in_g(), three = in_g();
      one.threads = 1;
      three.threads = 3;
      const Explanation whole = explain(model, voters.rows, Auto{}, one);
      const Explainer explainer(model, Auto{}, three);
      EXPECT_EQ(explainer(voters.rows).relevance, whole.relevance) << "seed " << seed;
      const Explanation tail = explainer(voters.rows.view().rows(67, 83));
      for (std::size_t r = 0; r < 83; ++r) {
        ASSERT_EQ(tail.g[r], whole.g[67 + r]);
        for (std::size_t d = 0; d < voters.rows.cols(); ++d)
          ASSERT_EQ(tail.relevance(r, d), whole.relevance(67 + r, d)) << "seed " << seed;
      }
    }
  }
}

// Ranked responsibilities are the band of ranks around the one that reaches half, by weight: at
// kappa 0 one point of either pool, whose distances are the pooled ones.
TEST(WeightedVotes, EvidenceAndNetworkAreOfTheSamePools) {
  for (std::uint64_t seed = 1; seed < 60; seed += 2) {
    auto voters = reference::random_voters(seed);
    voters.vote.radius.reset();
    const Model model(reference::random_weighted_neighbors(voters, 2));
    EtaRule rule{1.0};
    rule.responsibilities.kappa = 0;
    const Explainer explainer(model, rule, in_g());
    for (std::size_t r = 0; r < voters.rows.rows(); ++r) {
      const Explanation e = explainer(voters.rows.view().rows(r, 1));
      const Network net = explainer.network(voters.rows.row(r));
      EXPECT_EQ(net.g, e.g[0]);
      if (!std::isfinite(e.g[0])) continue;
      double sum = 0.0;
      for (const double value : e.relevance.row(0)) sum += value;
      EXPECT_NEAR(sum, e.g[0], 1e-9 * (1.0 + std::abs(sum))) << "seed " << seed;
      const auto evidence = explainer.evidence(voters.rows.row(r), 3);
      ASSERT_EQ(evidence.size(), 1u);
      EXPECT_NEAR(evidence[0].activation, e.g[0], 1e-9 * (1.0 + std::abs(e.g[0])));
    }
  }
}

TEST(WeightedVotes, WhatDoesNotFitIsRefused) {
  const Matrix points(3, 1, {0, 1, 2});
  NeighborVote vote;
  vote.radius = 0.0;
  EXPECT_THROW(NeighborRegressor(points, {1, 2, 3}, 1, vote), InvalidModel);
  vote.radius = 1.0;
  EXPECT_THROW(NeighborRegressor(points, {1, 2, 3}, 2, vote), InvalidModel);
  vote.radius.reset();
  vote.point_weights = {1, 1};
  EXPECT_THROW(NeighborRegressor(points, {1, 2, 3}, 2, vote), InvalidModel);
  vote.point_weights = {1, 1, 0};
  EXPECT_THROW(NeighborRegressor(points, {1, 2, 3}, 2, vote), InvalidModel);
  EXPECT_THROW(NeighborRegressor(points, {1, 2}, 2), InvalidModel);
  const auto problem_of = [&](const NeighborVote& of) {
    return error_of([&] { NeighborRegressor(points, {1, 2, 3}, 2, of); });
  };
  using Weights = NeighborVote::Weights;
  NeighborVote decay;
  decay.decay.rate = 2.0;
  EXPECT_EQ(problem_of(decay),
            "uniform weights with a decay, expected inverse or exponential ones");
  decay.weights = Weights::exponential;
  decay.decay.offset = 1.0;
  EXPECT_EQ(problem_of(decay),
            "exponential weights with an offset, which is a factor of all, expected 0");
  decay.decay = {0.0, 0.0, 1.0};
  EXPECT_EQ(problem_of(decay), "the power of the weights is 0, expected a finite number above 0");
  NeighborVote ranks;
  ranks.rank_weights = {1.0};
  EXPECT_NE(problem_of(ranks).find("weights of ranks"), std::string::npos) << problem_of(ranks);
  ranks.rank_weights = {1.0, 0.0};
  EXPECT_EQ(problem_of(ranks), "the weight of a rank is 0, expected a finite number above 0");
  ranks.rank_weights = {2.0, 1.0};
  ranks.weights = Weights::distance;
  EXPECT_EQ(problem_of(ranks),
            "weights of ranks beside weights of another kind or a radius, expected one of them");
  using Score = OutlierDetector::Score;
  EXPECT_THROW(OutlierDetector(points, 4, Score::mean_distance, 1.0), InvalidModel);
  EXPECT_THROW(OutlierDetector(points, 3, Score::local_outlier_factor, 1.0), InvalidModel);
  EXPECT_THROW(OutlierDetector(points, 2, Score::kth_distance, 0.0), InvalidModel);
}

}  // namespace
}  // namespace bisector
