// A scaler in front of a model moves rows by rounding errors. Points nearer than 1e-9 of the median
// distance are at one place, and distances that are equal up to rounding are equal, so that neither
// votes nor explanations depend on these errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/contrast/contrasts.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"
#include "reference/plain_votes.h"
#include "reference/random_distances.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

using reference::Vector;
using Weights = NeighborVote::Weights;

/// Every number moves by up to two units in its last place.
Matrix rounded(const Matrix& points, std::uint64_t seed) {
  Random random(seed);
  Matrix moved = points;
  for (std::size_t n = 0; n < points.rows(); ++n)
    for (double& value : moved.row(n))
      value *= 1.0 + 2.2e-16 * (static_cast<double>(random.below(5)) - 2.0);
  return moved;
}

NeighborVote vote_of(Weights weights) {
  NeighborVote vote;
  vote.weights = weights;
  if (weights == Weights::inverse) vote.decay = {0.0, 2.0, 1.0};
  return vote;
}

std::vector<Model> models_of(const Matrix& points, std::size_t classes, const NeighborVote& vote) {
  std::vector<std::size_t> owners;
  std::vector<std::string> labels;
  Vector targets;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    owners.push_back(n < classes ? n : (n * 7 + n / 3) % classes);
    targets.push_back(std::sin(static_cast<double>(n)));
  }
  for (std::size_t c = 0; c < classes; ++c) labels.push_back(std::to_string(c));
  return {Model(NeighborModel(points, owners, labels, 5, vote)),
          Model(NeighborRegressor(points, targets, 5, vote))};
}

TEST(Places, RoundingOfTheTrainingRowsChangesNoExplanation) {
  std::size_t explained = 0;
  for (const Weights weights : {Weights::distance, Weights::inverse}) {
    const Matrix points = reference::normal_rows(3, 60, 4);
    const auto plain = models_of(points, 3, vote_of(weights));
    const auto scaled = models_of(rounded(points, 5), 3, vote_of(weights));
    Matrix rows = reference::normal_rows(4, 20, 4);
    for (std::size_t r = 0; r < 10; ++r) std::ranges::copy(points.row(3 * r), rows.row(r).begin());
    ExplainOptions options;
    options.background = points;
    for (std::size_t m = 0; m < plain.size(); ++m) {
      for (const Method& method : all_methods()) {
        SCOPED_TRACE(name(method));
        Explanation a, b;
        if (error_of([&] { a = explain(plain[m], rows, method, options); }) != "(no error)")
          continue;
        b = explain(scaled[m], rows, method, options);
        for (std::size_t r = 0; r < rows.rows(); ++r) {
          EXPECT_FALSE(a.tie[r] || b.tie[r]);
          EXPECT_NEAR(a.output[r], b.output[r], 1e-6);
          EXPECT_NEAR(a.base[r], b.base[r], 1e-6);
          for (std::size_t d = 0; d < rows.cols(); ++d) {
            EXPECT_NEAR(a.relevance(r, d), b.relevance(r, d), 1e-6);
            explained += std::abs(a.relevance(r, d)) > 1e-3;
          }
        }
      }
    }
  }
  EXPECT_GT(explained, 1000u);
}

TEST(Places, PointsOfSeveralClassesAtOnePlaceAreATie) {
  // 0 and 1 are at one place and of different classes, 2 and 3 at one place and of one class.
  const double near = 1e-15;
  const Matrix points(7, 1, {1.0, 1.0 + near, 2.0, 2.0 + near, 3.0, 4.0, 5.0});
  const std::vector<double> targets{0.0, 1.0, 5.0, 5.0, 1.0, 2.0, 3.0};
  const Matrix rows(4, 1, {1.0, 2.0, 3.0, 4.1});
  for (const Weights weights : {Weights::distance, Weights::inverse}) {
    const NeighborVote vote = vote_of(weights);
    const Model votes(NeighborModel(points, {0, 1, 0, 0, 1, 0, 1}, {"a", "b"}, 3, vote));
    const Explanation e = explain(votes, rows, EtaRule{}, in_g());
    EXPECT_EQ(e.tie, (std::vector<bool>{true, false, false, false}));
    EXPECT_EQ(e.decision, (Vector{0.0, -1.0, 1.0, e.decision[3]}));
    const Explanation of_mean =
        explain(Model(NeighborRegressor(points, targets, 3, vote)), rows, EtaRule{}, in_g());
    EXPECT_EQ(of_mean.tie, e.tie);
    EXPECT_EQ(of_mean.value[1], 5.0);
    EXPECT_EQ(of_mean.value[2], 1.0);
  }
  // A place with more points than neighbors: the order decides which of them vote.
  const Model uniform(NeighborModel(points, {0, 1, 0, 0, 1, 0, 1}, {"a", "b"}, 1));
  EXPECT_EQ(explain(uniform, rows, EtaRule{}, in_g()).tie,
            (std::vector<bool>{true, false, false, false}));
}

TEST(Places, ANeighborNearlyAtThePlaceIsATie) {
  // The weight of the nearest point is finite in other libraries, and a fourth of the vote is left.
  NeighborVote vote = vote_of(Weights::distance);
  const Matrix points(5, 1, {0.0, 3e-9, 1.0, 2.0, 3.0});
  const Model model(NeighborModel(points, {0, 1, 0, 1, 0}, {"a", "b"}, 3, vote));
  const Explanation e = explain(model, Matrix(2, 1, {0.7e-9, 1e-9 + 1e-12}), EtaRule{}, in_g());
  EXPECT_TRUE(e.tie[0]);
  EXPECT_FALSE(e.tie[1]);  // both weights are finite
}

// On a grid many distances are equal, and behind a scaler they are equal up to rounding. Rows that
// are no ties have the same output for any order of the points and any rounding.
TEST(Places, WithoutATieNeitherOrderNorRoundingChangesTheOutput) {
  std::size_t ties = 0, sure = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::size_t features = 2 + random.below(3), k = 1 + random.below(7);
    const Vector scale{0.37, 1.9, 0.83, 3.3};
    const auto grid = [&](std::size_t rows, std::size_t values) {
      Matrix points(rows, features);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t d = 0; d < features; ++d)
          points(r, d) = (static_cast<double>(random.below(values)) - 1.3) / scale[d];
      return points;
    };
    const Matrix points = grid(60, 12), rows = grid(12, 12);
    const Matrix moved = rounded(points, seed);
    Matrix turned(60, features);
    std::vector<std::size_t> classes, turned_classes;
    for (std::size_t n = 0; n < 60; ++n) {
      std::ranges::copy(moved.row(59 - n), turned.row(n).begin());
      classes.push_back(n < 3 ? n : random.below(3));
    }
    turned_classes.assign(classes.rbegin(), classes.rend());
    const NeighborVote vote = vote_of(seed % 2 == 0 ? Weights::uniform : Weights::distance);
    const std::vector<std::string> labels{"a", "b", "c"};
    const NeighborModel own(points, classes, labels, k, vote);
    const Explanation e = explain(Model(own), rows, EtaRule{}, in_g());
    const Predictions again =
        predict(Model(NeighborModel(turned, turned_classes, labels, k, vote)), rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      ++(e.tie[r] ? ties : sure);
      if (e.tie[r]) continue;
      const auto votes = again.decisions.row(r);
      EXPECT_NEAR(e.decision[r], votes[e.positive[r]] - votes[e.negative[r]], 1e-6);
      EXPECT_EQ(e.prediction[r], again.classes[r]);
    }
  }
  EXPECT_GT(ties, 500u);
  EXPECT_GT(sure, 500u);
}

TEST(Places, GivenVotersDecideBetweenEqualDistances) {
  // Two points at the row itself and 38 at distance 1, more than a search for 5 neighbors returns.
  Matrix points(40, 1, Vector(40, 1.0));
  points(0, 0) = points(1, 0) = 0.0;
  for (std::size_t n = 3; n < 40; n += 2) points(n, 0) = -1.0;
  const Matrix row(1, 1, {0.0});
  for (const Model& model : models_of(points, 3, vote_of(Weights::uniform))) {
    const auto* neighbors = std::get_if<NeighborModel>(&model.predictor());
    const auto* regressor = std::get_if<NeighborRegressor>(&model.predictor());
    for (const Method& method : {Method(EtaRule{}), Method(ExpectedPathRule{.references = 5})}) {
      const Explainer explainer(model, method);
      const std::vector<std::vector<std::size_t>> voters = {{39, 0, 36, 1, 31}};
      Vector votes(3);
      double mean = 0.0;
      for (const std::size_t point : voters[0]) {
        if (neighbors) votes[neighbors->classes()[point]] += 1.0;
        if (regressor) mean += regressor->targets()[point] / 5.0;
      }
      const Explanation own = explainer(row, 0, voters);
      EXPECT_TRUE(own.tie[0]);
      if (regressor) {
        EXPECT_NEAR(own.output[0], mean, 1e-12);
        EXPECT_GT(std::abs(explainer(row).output[0] - mean), 1e-3);
        continue;
      }
      EXPECT_EQ(own.output[0], votes[own.positive[0]] - votes[own.negative[0]]);
      const ClassExplanations all = explainer.all_classes(row, 0, voters);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(all.output(0, c), 2.0 * votes[c] - 5.0);
      EXPECT_NE(explainer.all_classes(row).output, all.output);
    }
    EXPECT_EQ(error_of([&] { Explainer(model, EtaRule{})(row, 0, {{{40}}}); }),
              "point 40 is to vote, expected numbers below 40");
  }
}

TEST(ReferenceDecisions, AreThoseOfEveryPairFromOneSearch) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t classes = 2 + seed % 4;
    const Matrix points = reference::normal_rows(seed, 80, 3);
    const Matrix rows = reference::normal_rows(seed + 1, 300, 3);
    const NeighborVote vote = vote_of(seed % 2 == 0 ? Weights::uniform : Weights::distance);
    const Model model = models_of(points, classes, vote).front();
    for (const unsigned threads : {1u, 3u}) {
      detail::ContrastOptions options;
      options.threads = threads;
      options.values = std::make_shared<const detail::PointValues>(
          model.input(), Vector(3, 0.0), detail::PointValues::Kind::first, model.distance());
      const detail::Contrasts contrasts(model, options);
      std::size_t read = 0;
      const auto some = [&](std::size_t first, std::size_t count) {
        read += count;
        return detail::MappedRows(rows.view().rows(first, count));
      };
      const detail::ReferenceRows references{detail::ReferenceRows::Source::background, 0, 300,
                                             some};
      for (std::size_t a = 0; a < classes; ++a) {
        for (std::size_t b = 0; b < classes; ++b) {
          if (a == b) continue;
          const auto found = contrasts.decide(references, {a, b});
          const auto g = contrasts.of({a, b}).g_at(rows);
          ASSERT_EQ(found.size(), 300u);
          for (std::size_t r = 0; r < 300; ++r) {
            EXPECT_EQ(found[r].g, g[r]);
            EXPECT_EQ(found[r].positive, a);
          }
        }
      }
      EXPECT_EQ(read, 300u);
    }
  }
}

TEST(ReferenceDecisions, TheBaseValueIsTheMeanOutputOfAllRowsOfABackground) {
  const Matrix points = reference::normal_rows(1, 90, 3), data = reference::normal_rows(2, 700, 3);
  for (const Model& model : models_of(points, 2, {})) {
    ExplainOptions options;
    options.background = data;
    const Predictions predictions = predict(model, data);
    double mean = 0.0;
    for (std::size_t r = 0; r < data.rows(); ++r) mean += predictions.decisions(r, 0) / 700.0;
    const Explanation e = explain(model, data.view().rows(0, 3), Auto{}, options);
    EXPECT_NEAR(e.base[0], mean, 1e-12);
  }
}

}  // namespace
}  // namespace bisector
