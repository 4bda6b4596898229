// What the Explainer resolves its options to, the models of many machines, all classes, and the
// evidence.
#include "bisector/explain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "core/explain/resolve.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "reference/in_g.h"
#include "reference/nested_sums.h"
#include "reference/plain_machines.h"
#include "reference/random_models.h"
#include "reference/sum.h"

namespace bisector {

using namespace detail;

namespace {

using reference::Vector;

/// A one-vs-one classifier of `classes` classes with random coefficients of the signs that training
/// gives: positive for the first class of a pair, negative for the second.
KernelClassifier random_classifier(std::uint64_t seed, std::size_t classes) {
  Random random(seed);
  std::vector<std::size_t> sizes;
  std::vector<std::string> labels;
  std::size_t total = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    sizes.push_back(1 + random.below(8));
    total += sizes.back();
    labels.push_back("c" + std::to_string(c));
  }
  Matrix coefficients(classes - 1, total);
  std::size_t n = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t k = 0; k < sizes[c]; ++k, ++n) {
      // Row r of class c belongs to the pair with class r (r < c: c is second) or r + 1.
      for (std::size_t r = 0; r + 1 < classes; ++r)
        coefficients(r, n) = (r < c ? -1.0 : 1.0) * reference::log_uniform(random, -1, 1);
    }
  }
  std::vector<double> intercepts;
  for (std::size_t p = 0; p < classes * (classes - 1) / 2; ++p)
    intercepts.push_back(0.1 * random.normal());
  return KernelClassifier(reference::random_matrix(random, total, 4), sizes, coefficients,
                          intercepts, Kernel(0.7), labels);
}

double pair_decision(const KernelClassifier& m, std::size_t a, std::size_t b,
                     std::span<const double> x) {
  const double sign = a < b ? 1.0 : -1.0;
  const std::size_t low = std::min(a, b), high = std::max(a, b);
  return sign * reference::decision(m.points(), m.pair_coefficients(low, high), m.gamma(),
                                    m.intercepts()[m.pair_index(low, high)], x);
}

TEST(Explainer, ManyClassesExplainPredictedAgainstRunnerUp) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::size_t classes = 3 + seed % 4;
    const KernelClassifier classifier = random_classifier(seed, classes);
    Random random(seed + 1);
    const Matrix rows = reference::random_matrix(random, 20, 4);
    const Explanation explanation = explain(Model(classifier), rows, EtaRule{}, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      std::vector<std::size_t> votes(classes, 0);
      for (std::size_t a = 0; a < classes; ++a) {
        for (std::size_t b = a + 1; b < classes; ++b)
          ++votes[pair_decision(classifier, a, b, rows.row(r)) > 0.0 ? a : b];
      }
      const auto best = std::size_t(std::max_element(votes.begin(), votes.end()) - votes.begin());
      EXPECT_EQ(explanation.prediction[r], best);
      EXPECT_EQ(explanation.positive[r], best);
      ASSERT_NE(explanation.negative[r], best);
      for (std::size_t c = 0; c < classes; ++c) {
        if (c != best) {
          EXPECT_LE(votes[c], votes[explanation.negative[r]]);
        }
      }
      const double f = pair_decision(classifier, best, explanation.negative[r], rows.row(r));
      EXPECT_NEAR(explanation.decision[r], f, 1e-9);
      EXPECT_EQ(explanation.g[r] > 0.0, f > 0.0);
    }
  }
}

TEST(Explainer, AnyPairOfClassesOnRequest) {
  const KernelClassifier classifier = random_classifier(3, 4);
  const Model model{classifier};
  Random random(4);
  const Matrix rows = reference::random_matrix(random, 10, 4);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      if (a == b) continue;
      ExplainOptions options = in_g();
      options.positive_class = classifier.labels()[a];
      options.versus = classifier.labels()[b];
      const Explanation explanation = explain(model, rows, EtaRule{}, options);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        EXPECT_EQ(explanation.positive[r], a);
        EXPECT_EQ(explanation.negative[r], b);
        EXPECT_NEAR(explanation.decision[r], pair_decision(classifier, a, b, rows.row(r)), 1e-9);
      }
    }
  }
}

TEST(Explainer, RegressorsExplainALevel) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    const Model model(KernelRegressor{m.machine(), 0.25});
    for (const double level : {0.25, -3.0, 3.0}) {
      ExplainOptions options = in_g();
      if (level != 0.25) options.level = level;  // 0.25 is the default: the training mean
      const Explanation explanation = explain(model, m.rows, EtaRule{}, options);
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        const double f =
            reference::decision(m.points, m.coefficients, m.gamma, m.intercept, m.rows.row(r));
        EXPECT_NEAR(explanation.value[r], f, 1e-9 * (1.0 + std::abs(f)));
        if (std::abs(f - level) > 1e-9) {
          EXPECT_EQ(explanation.g[r] > 0.0, f > level);
        }
      }
    }
  }
}

TEST(Explainer, OneClassIsInsideAgainstRho) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto m = reference::random_machine(seed);
    for (double& coefficient : m.coefficients) coefficient = std::abs(coefficient);
    m.intercept = -reference::decision(m.points, m.coefficients, m.gamma, 0.0, m.rows.row(1)) * 0.8;
    if (m.intercept == 0.0) continue;
    const Model model(OneClassMachine{m.machine()});
    const Explanation explanation = explain(model, m.rows, EtaRule{}, in_g());
    for (std::size_t r = 0; r < m.rows.rows(); ++r) {
      const double f =
          reference::decision(m.points, m.coefficients, m.gamma, m.intercept, m.rows.row(r));
      if (std::abs(f) < 1e-9 * std::abs(m.intercept)) continue;
      EXPECT_EQ(explanation.g[r] > 0.0, f > 0.0);
      EXPECT_EQ(model.labels()[explanation.prediction[r]], f > 0.0 ? "1" : "-1");
    }
  }
}

TEST(Explainer, EvidenceOfAllPairsAddsUpToTheRelevance) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    const auto n = reference::random_neighbors(seed, 3, false);
    const Model svm = reference::two_class(m), knn = n.model();
    for (const auto& [model, rows] : {std::pair(svm, m.rows), std::pair(knn, n.rows)}) {
      const Explainer explainer(model, EtaRule{}, in_g());
      const Explanation explanation = explainer(rows);
      const auto evidence = explainer.evidence(rows.row(1), 100'000);
      Vector sum(rows.cols(), 0.0);
      double weights = 0.0, previous = 1.0;
      for (const Evidence& pair : evidence) {
        EXPECT_LE(pair.weight, previous);
        previous = pair.weight;
        weights += pair.weight;
        for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += pair.relevance[d];
      }
      EXPECT_NEAR(weights, 1.0, 1e-9);
      double scale = 1e-6;  // equal bands leave only rounding
      for (const double value : explanation.relevance.row(1))
        scale = std::max(scale, std::abs(value));
      for (std::size_t d = 0; d < sum.size(); ++d)
        EXPECT_NEAR(sum[d], explanation.relevance(1, d), 1e-8 * scale);
      EXPECT_LE(explainer.evidence(rows.row(1), 2).size(), 2u);
    }
  }
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t n = 0; n < count; ++n) labels.push_back(std::to_string(n));
  return labels;
}

// The k nearest points vote, no others: the report lists them with their shares of the vote.
TEST(Explainer, DecidingPointsOfNeighborsAreThoseThatVote) {
  std::size_t voters = 0;
  for (std::uint64_t seed = 1; seed < 200; seed += 2) {  // without equal distances
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto n = reference::random_neighbors(seed, 2, false);
    const bool is_weighted = seed % 4 == 1;
    NeighborVote vote;
    if (is_weighted) vote.weights = NeighborVote::Weights::distance;
    Vector targets;
    for (std::size_t p = 0; p < n.points.rows(); ++p)
      targets.push_back(std::sin(1.0 + 7.0 * static_cast<double>(p)));
    const double level = 0.1;
    ExplainOptions at_level = in_g();
    at_level.level = level;
    const Explainer classes(Model(NeighborModel(n.points, n.classes, {"a", "b"}, n.k, vote)),
                            Auto{}, in_g());
    const Explainer numbers(Model(NeighborRegressor(n.points, targets, n.k, vote)), Auto{},
                            at_level);
    for (std::size_t r = 0; r < n.rows.rows(); ++r) {
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t p = 0; p < n.points.rows(); ++p)
        order.emplace_back(linalg::squared_distance(n.rows.row(r), n.points.row(p)), p);
      std::ranges::sort(order);
      order.resize(n.k);
      // The members of either side with their weights: class b (targets above the level), the rest.
      const auto check = [&](const DecidingPoints& found, const auto& is_positive,
                             const auto& weight_of) {
        double total = 0.0;
        for (const auto& [distance, p] : order) total += weight_of(distance, p);
        ASSERT_EQ(found.positive.size() + found.negative.size(), order.size());
        for (const auto* side : {&found.positive, &found.negative}) {
          for (const WeightedMember& own : *side) {
            const auto place = std::ranges::find(order, *own.member,
                                                 [](const auto& entry) { return entry.second; });
            ASSERT_NE(place, order.end());
            EXPECT_EQ(side == &found.positive, is_positive(*own.member));
            EXPECT_NEAR(own.weight, weight_of(place->first, place->second) / total, 1e-12);
            ++voters;
          }
        }
      };
      const auto vote_of = [&](double distance) {
        return is_weighted ? 1.0 / std::sqrt(distance) : 1.0;
      };
      check(
          classes.deciding_points(n.rows.row(r), n.k),
          [&](std::size_t p) { return n.classes[p] == 1; },
          [&](double distance, std::size_t) { return vote_of(distance); });
      check(
          numbers.deciding_points(n.rows.row(r), n.k),
          [&](std::size_t p) { return targets[p] > level; },
          [&](double distance, std::size_t p) {
            return vote_of(distance) * std::abs(targets[p] - level);
          });
    }
  }
  EXPECT_GT(voters, 1000u);
}

// The definition: the weights of a pool, sorted.
TEST(Explainer, DecidingPointsAreTheHeaviestOfEitherPool) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto m = reference::random_machine(seed);
    const auto n = reference::random_neighbors(seed, 3, false);
    const Model svm = reference::two_class(m);
    const Model centroids(CentroidModel(n.points, numbered(n.points.rows())));
    for (const auto& [model, rows] : {std::pair(svm, m.rows), std::pair(centroids, n.rows)}) {
      const Explainer explainer(model, Auto{}, in_g());
      const Network network = explainer.network(rows.row(1));
      const DecidingPoints few = explainer.deciding_points(rows.row(1), 3);
      const DecidingPoints all = explainer.deciding_points(rows.row(1), 100'000);
      const auto check = [&](const std::vector<WeightedMember>& found, std::vector<double> weights,
                             std::size_t most) {
        std::ranges::sort(weights, std::ranges::greater{});
        std::erase(weights, 0.0);
        weights.resize(std::min(weights.size(), most));
        ASSERT_EQ(found.size(), weights.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].weight, weights[i]);
      };
      check(few.positive, network.positive_weights, 3);
      check(few.negative, network.negative_weights, 3);
      check(all.positive, network.positive_weights, 100'000);
      check(all.negative, network.negative_weights, 100'000);
      for (const WeightedMember& point : all.positive) {
        const auto place = std::ranges::find(network.positive, point.member);
        ASSERT_NE(place, network.positive.end());
        EXPECT_EQ(
            network.positive_weights[static_cast<std::size_t>(place - network.positive.begin())],
            point.weight);
      }
    }
  }
}

TEST(Explainer, EtaFollowsGammaTimesTheSquaredMedianDistance) {
  EXPECT_DOUBLE_EQ(kernel_eta(1.0, 1.0), 0.4);
  EXPECT_DOUBLE_EQ(kernel_eta(1e-3, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(kernel_eta(1e3, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_eta(0.01, 10.0), 0.4);
  const auto m = reference::random_machine(2);
  Model model = reference::two_class(m);
  const double s = linalg::median_distance(m.points.view());
  EXPECT_DOUBLE_EQ(*Explainer(model, EtaRule{}, in_g()).settings().median_distance, s);
  EXPECT_DOUBLE_EQ(*Explainer(model, EtaRule{}, in_g()).settings().eta, kernel_eta(m.gamma, s));
  ExplainOptions options = in_g();
  options.background = m.rows;
  EXPECT_DOUBLE_EQ(*Explainer(model, EtaRule{}, options).settings().median_distance,
                   linalg::median_distance(m.rows.view()));
  model = Model(model.predictor(), {}, {}, 1.0);
  EXPECT_DOUBLE_EQ(*Explainer(model, EtaRule{}, in_g()).settings().eta, kernel_eta(m.gamma, 1.0));
}

TEST(Explainer, ReferenceIsTheOriginUnlessThePointsAreClearlyElsewhere) {
  Random random(1);
  Matrix centered = reference::random_matrix(random, 50, 3), shifted = centered;
  for (std::size_t n = 0; n < 50; ++n) {
    for (std::size_t d = 0; d < 3; ++d) shifted(n, d) += 4.0;
  }
  EXPECT_FALSE(is_off_center(centered));
  EXPECT_TRUE(is_off_center(shifted));
  EXPECT_FALSE(is_off_center(
      gather_rows(shifted, std::vector<std::size_t>{0})));  // one point proves nothing
  std::vector<double> coefficients(50, 1.0);
  coefficients[0] = -1.0;
  const Model model(KernelClassifier::two_class(
      KernelMachine(shifted, coefficients, Kernel(1.0), 0.0), "a", "b"));
  EXPECT_EQ(Explainer(model, EtaRule{}, in_g()).settings().reference_name, "mean");
  EXPECT_NEAR(Explainer(model, EtaRule{}, in_g()).settings().reference[0], 4.0, 0.5);
  // Behind standardizing, the origin of the model's space is the mean of the data.
  const Model standardized(KernelClassifier::two_class(
                               KernelMachine(centered, coefficients, Kernel(1.0), 0.0), "a", "b"),
                           AffineMap({4.0, 5.0, 6.0}, {0.5, 0.5, 2.0}));
  EXPECT_EQ(Explainer(standardized, EtaRule{}, in_g()).settings().reference,
            (Vector{4.0, 5.0, 6.0}));
}

TEST(Explainer, RefusesWhatDoesNotFitTheModel) {
  const Model svm = reference::two_class(reference::random_machine(1));
  const Model knn = reference::random_neighbors(1, 3, true).model();
  const Model svr(KernelRegressor{reference::random_machine(1).machine(), std::nullopt});
  const auto refuses = [](const Model& model, auto set) {
    EtaRule rule;
    ExplainOptions options = in_g();
    set(rule, options);
    EXPECT_THROW(Explainer(model, rule, options), InvalidInput);
  };
  refuses(svm, [](auto& rule, auto&) { rule.responsibilities.kappa = 2; });
  refuses(svm, [](auto& rule, auto&) { rule.eta = 1.5; });
  refuses(svm, [](auto& rule, auto&) { rule.responsibilities.beta = 0.0; });
  refuses(svm, [](auto&, auto& o) { o.level = 1.0; });
  refuses(svm, [](auto&, auto& o) { o.positive_class = "nobody"; });
  refuses(knn, [](auto& rule, auto&) { rule.responsibilities.beta = 1.0; });
  refuses(knn, [](auto& rule, auto&) { rule.responsibilities.ignore_intercept = true; });
  refuses(knn, [](auto&, auto& o) { o.versus = "class 1"; });
  refuses(knn, [](auto&, auto& o) { o.positive_class = o.versus = "class 1"; });
  refuses(svr, [](auto&, auto& o) { o.positive_class = "a"; });
  refuses(svr, [](auto&, auto& o) { o.level = std::nan(""); });
  refuses(svm, [](auto&, auto& o) {
    o.reference = {Reference::Kind::given, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}};
  });
  EXPECT_THROW(explain(svm, Matrix(1, 99), EtaRule{}, in_g()), InvalidInput);
}

TEST(Explainer, RefusesAModelWithNothingInOnePool) {
  const Matrix points(2, 1, {0.0, 1.0});
  for (const double intercept : {0.0, 0.5}) {
    const Model model(KernelClassifier::two_class(
        KernelMachine(points, {1.0, 2.0}, Kernel(1.0), intercept), "a", "b"));
    EXPECT_THROW(Explainer{model}, InvalidModel) << intercept;
  }
  const Model fine(
      KernelClassifier::two_class(KernelMachine(points, {1.0, 2.0}, Kernel(1.0), -0.5), "a", "b"));
  EXPECT_NO_THROW(Explainer{fine});
  EtaRule rule;
  rule.responsibilities.ignore_intercept = true;
  EXPECT_THROW(Explainer(fine, rule, in_g()), InvalidModel);
}

// On the boundary the model's own decision counts: f = 0 is its second class.
TEST(Explainer, PredictsTheSameWhicheverClassIsExplained) {
  const KernelMachine machine(Matrix(2, 1, {-1.0, 1.0}), {1.0, -1.0}, Kernel(0.5), 0.0);
  const Matrix rows(3, 1, {-0.5, 0.0, 0.5});
  for (const Model& model :
       {Model(KernelClassifier::two_class(machine, "a", "b")), Model(OneClassMachine{machine})}) {
    const std::vector<std::size_t> expected = predict(model, rows.view()).classes;
    EXPECT_EQ(expected, (std::vector<std::size_t>{0, 1, 1}));
    for (const std::string& label : model.labels()) {
      ExplainOptions options = in_g();
      options.positive_class = label;
      const Explanation e = explain(model, rows, EtaRule{}, options);
      EXPECT_EQ(e.g[1], 0.0);
      EXPECT_EQ(e.prediction, expected) << label;
      EXPECT_EQ(e.tie, (std::vector<bool>{false, true, false}));
    }
  }
}

TEST(Explainer, TakesNoRows) {
  const auto m = reference::random_machine(1);
  const Explanation explanation =
      explain(reference::two_class(m), MatrixView<const double>(nullptr, 0, m.points.cols()),
              EtaRule{}, in_g());
  EXPECT_EQ(explanation.relevance.rows(), 0u);
}

void expect_sums_over_pairs(const Model& model, const std::vector<Method>& methods) {
  const Matrix rows = reference::normal_rows(3, 40, 4);
  for (const Method& method : methods) {
    SCOPED_TRACE(name(method));
    const ClassExplanations all = Explainer(model, method).all_classes(rows, 11);
    std::vector<Matrix> sums(3, Matrix(40, 4));
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = a + 1; b < 3; ++b) {
        ExplainOptions options;
        options.positive_class = model.labels()[a];
        options.versus = model.labels()[b];
        const Explanation pair = Explainer(model, method, options)(rows, 11);
        for (std::size_t r = 0; r < 40; ++r) {
          for (std::size_t d = 0; d < 4; ++d) {
            sums[a](r, d) += pair.relevance(r, d);
            sums[b](r, d) -= pair.relevance(r, d);
          }
        }
      }
    }
    EXPECT_EQ(all.relevance, sums);
  }
}

TEST(AllClasses, AreTheSumsOverTheirPairsToTheLastDigit) {
  expect_sums_over_pairs(reference::three_classes(5, 4),
                         {EtaRule{}, PathRule{}, ExpectedPathRule{.references = 9},
                          ExactShapley{.references = 7}, SampledShapley{.seed = 2}});
  expect_sums_over_pairs(Model(CentroidModel(reference::normal_rows(7, 3, 4), {"a", "b", "c"})),
                         {EtaRule{}, PathRule{}, ExpectedPathRule{.references = 9},
                          NeighborhoodRule{}, SampledShapley{.seed = 2}});
}

TEST(AllClasses, AddUpAndAgreeWithThePairs) {
  const Matrix rows = reference::normal_rows(3, 10, 4);
  for (const Model& model :
       {reference::three_classes(5, 4), reference::plain_neighbors(8, 90, 4, 3, 5),
        reference::plain_neighbors(8, 90, 4, 2, 5)}) {
    const Explainer explainer(model);
    const ClassExplanations all = explainer.all_classes(rows);
    ASSERT_EQ(all.relevance.size(), model.labels().size());
    for (std::size_t c = 0; c < all.relevance.size(); ++c) {
      for (std::size_t r = 0; r < rows.rows(); ++r)
        EXPECT_NEAR(all.base[c] + sum(all.relevance[c].row(r)) + all.remainder(r, c),
                    all.output(r, c), 1e-9 * (1.0 + std::abs(all.output(r, c))));
    }
    EXPECT_EQ(all.tie.size(), rows.rows());
    EXPECT_EQ(all.outside, std::vector<bool>(rows.rows(), false));
    const Matrix far(1, 4, {1e4, 1e4, 1e4, 1e4});
    EXPECT_EQ(explainer.all_classes(far).outside, std::vector<bool>{true});
  }
  const Model two = reference::plain_neighbors(8, 90, 4, 2, 5);
  const Explainer explainer(two, ExpectedPathRule{});
  const std::size_t positive = explainer.settings().positive == two.labels()[0] ? 0 : 1;
  EXPECT_EQ(explainer.all_classes(rows).relevance[positive], explainer(rows).relevance);
  const Predictions votes = predict(reference::plain_neighbors(8, 90, 4, 3, 5), rows);
  const ClassExplanations all =
      Explainer(reference::plain_neighbors(8, 90, 4, 3, 5)).all_classes(rows);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(all.output(r, c), votes.decisions(r, c) - (5.0 - votes.decisions(r, c)));
  }
  EXPECT_THROW(Explainer(Model(KernelRegressor{reference::plain_machine(4, 20, 4, 0.1), 0.1}))
                   .all_classes(rows),
               InvalidInput);
}

}  // namespace
}  // namespace bisector
