// The quality of a model against slow reference implementations, straight from the definitions.
#include "bisector/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/random.h"
#include "core/evaluate/testing_data.h"

namespace bisector {
namespace {

/// Over all pairs of a positive and another row.
std::optional<double> pairwise_auc(const std::vector<double>& values,
                                   const std::vector<bool>& is_positive) {
  double right = 0.0, pairs = 0.0;
  for (std::size_t p = 0; p < values.size(); ++p) {
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (!is_positive[p] || is_positive[n]) continue;
      pairs += 1.0;
      right += values[p] > values[n] ? 1.0 : values[p] == values[n] ? 0.5 : 0.0;
    }
  }
  if (pairs == 0.0) return std::nullopt;
  return right / pairs;
}

TEST(AreaUnderRoc, IsTheShareOfPairsInTheRightOrder) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::size_t rows = 1 + random.below(40);
    std::vector<double> values;
    std::vector<bool> is_positive;
    for (std::size_t r = 0; r < rows; ++r) {
      // Few different values, so that there are equals.
      values.push_back(seed % 2 == 0 ? static_cast<double>(random.below(6)) : random.normal());
      is_positive.push_back(random.below(3) == 0);
    }
    const auto expected = pairwise_auc(values, is_positive);
    const auto found = area_under_roc(values, is_positive);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (expected) {
      EXPECT_NEAR(*found, *expected, 1e-12);
    }
  }
}

/// A nearest-neighbor model of any number of classes, and rows with targets that it may not know.
struct Case {
  Model model;
  Predictions predictions;
  std::vector<std::string> targets;
};

Case random_case(std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string> all = {"a", "b", "c", "d"};
  const std::size_t classes = 2 + random.below(3), points = 12, rows = 1 + random.below(50);
  std::vector<std::size_t> class_of_point;
  for (std::size_t n = 0; n < points; ++n) class_of_point.push_back(n % classes);
  Model model(NeighborModel(normal_rows(points, 2, seed + 1), class_of_point,
                            {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(classes)},
                            1 + random.below(5)));
  std::vector<std::string> targets;
  for (std::size_t r = 0; r < rows; ++r)
    targets.push_back(all[random.below(seed % 3 == 0 ? 4 : classes)]);
  Predictions predictions = predict(model, normal_rows(rows, 2, seed + 2));
  return {model, std::move(predictions), std::move(targets)};
}

TEST(Score, CountsClassesAsTheDefinitionsDo) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    const auto labels = c.model.labels();
    const ClassScore found = score(c.model, c.predictions, c.targets).classes.value();
    double right = 0.0, recalls = 0.0, present = 0.0;
    for (std::size_t i = 0; i < found.classes.size(); ++i) {
      const std::string& label = found.classes[i].label;
      double rows = 0.0, said = 0.0, both = 0.0;
      for (std::size_t r = 0; r < c.targets.size(); ++r) {
        const bool has = c.targets[r] == label, is_said = labels[c.predictions.classes[r]] == label;
        rows += has ? 1.0 : 0.0;
        said += is_said ? 1.0 : 0.0;
        both += has && is_said ? 1.0 : 0.0;
      }
      right += both;
      EXPECT_EQ(found.classes[i].recall.has_value(), rows > 0.0);
      EXPECT_EQ(found.classes[i].precision.has_value(), said > 0.0);
      if (rows > 0.0) {
        EXPECT_DOUBLE_EQ(*found.classes[i].recall, both / rows);
      }
      if (said > 0.0) {
        EXPECT_DOUBLE_EQ(*found.classes[i].precision, both / said);
      }
      if (rows > 0.0) {
        recalls += both / rows;
        present += 1.0;
      }
    }
    EXPECT_DOUBLE_EQ(found.accuracy, right / static_cast<double>(c.targets.size()));
    EXPECT_NEAR(found.balanced_accuracy, recalls / present, 1e-12);
  }
}

TEST(Score, HasALogLossWhereEveryClassHasAProbability) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    const auto labels = c.model.labels();
    const Matrix shares = class_probabilities(c.model, c.predictions).value();
    double sum = 0.0;
    bool all_known = true;
    for (std::size_t r = 0; r < c.targets.size(); ++r) {
      const auto found = std::ranges::find(labels, c.targets[r]);
      all_known = all_known && found != labels.end();
      if (!all_known) break;
      const double p = shares(r, static_cast<std::size_t>(found - labels.begin()));
      sum -= std::log(std::min(std::max(p, 0x1p-52), 1.0 - 0x1p-52));
    }
    const ClassScore score_of = score(c.model, c.predictions, c.targets).classes.value();
    ASSERT_EQ(score_of.log_loss.has_value(), all_known);
    if (all_known) {
      EXPECT_NEAR(*score_of.log_loss, sum / double(c.targets.size()), 1e-12);
    }
  }
}

TEST(Score, OfNeighborsTakesTheSharesOfTheVotes) {
  const Matrix points(5, 1, {0.0, 1.0, 2.0, 3.0, 4.0});
  const Matrix row(1, 1, {1.9});
  const Model two(NeighborModel(points, {0, 1, 1, 0, 0}, {"a", "b"}, 3));
  const auto shares_of_two = class_probabilities(two, predict(two, row)).value();
  EXPECT_DOUBLE_EQ(shares_of_two(0, 0), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(shares_of_two(0, 1), 2.0 / 3.0);
  const Model three(NeighborModel(points, {0, 1, 1, 2, 2}, {"a", "b", "c"}, 3));
  const auto shares_of_three = class_probabilities(three, predict(three, row)).value();
  EXPECT_DOUBLE_EQ(shares_of_three(0, 0), 0.0);
  EXPECT_DOUBLE_EQ(shares_of_three(0, 1), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(shares_of_three(0, 2), 1.0 / 3.0);
}

Model machine_of(const std::string& positive, const std::string& negative) {
  return Model(KernelClassifier::two_class(
      KernelMachine(Matrix(2, 1, {1.0, -1.0}), {1.0, -1.0}, Kernel(0.5), 0.0), positive, negative));
}

TEST(Score, RanksByTheDecisionValueOfThePositiveClass) {
  const Model model = machine_of("yes", "no");
  const Matrix rows(4, 1, {2.0, 1.0, -1.0, 0.5});
  const Score found =
      score(model, predict(model, rows), std::vector<std::string>{"yes", "no", "no", "yes"});
  const ClassScore& classes = found.classes.value();
  EXPECT_EQ(classes.positive, "yes");
  const Predictions predictions = predict(model, rows);
  EXPECT_DOUBLE_EQ(classes.auc.value(),
                   *pairwise_auc(predictions.decisions.values(), {true, false, false, true}));
  EXPECT_FALSE(classes.log_loss.has_value()) << "a decision value is no probability";
  EXPECT_EQ(classes.confusion, (std::vector<std::vector<std::size_t>>{{2, 0}, {1, 1}}));
  EXPECT_DOUBLE_EQ(classes.accuracy, 0.75);
}

TEST(Score, RanksByTheDifferenceOfDistancesToCentroids) {
  const Model model(CentroidModel(Matrix(2, 1, {-1.0, 1.0}), {"left", "right"}));
  const Matrix rows(4, 1, {-5.0, 0.2, 0.5, 4.0});
  const Score found = score(model, predict(model, rows),
                            std::vector<std::string>{"left", "right", "left", "right"});
  EXPECT_EQ(found.classes->positive, "right");
  EXPECT_DOUBLE_EQ(found.classes->auc.value(), 0.75);
}

TEST(Score, OfWeightedVotesHasNoLogLoss) {
  NeighborVote vote;
  vote.weights = NeighborVote::Weights::distance;
  const Model model(NeighborModel(Matrix(3, 1, {0.0, 1.0, 3.0}), {0, 1, 1}, {"a", "b"}, 3, vote));
  const Predictions predictions = predict(model, Matrix(1, 1, {0.4}));
  EXPECT_FALSE(class_probabilities(model, predictions).has_value());
  EXPECT_FALSE(score(model, predictions, std::vector<std::string>{"a"}).classes->log_loss);
}

TEST(Score, OfARegressorIsThatOfItsErrors) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Model model(KernelRegressor{
        KernelMachine(normal_rows(3, 2, seed), {1.0, -2.0, 0.5}, Kernel(0.5), 0.1), std::nullopt});
    const Predictions predictions = predict(model, normal_rows(20, 2, seed + 1));
    std::vector<std::string> targets;
    std::vector<double> numbers;
    for (std::size_t r = 0; r < 20; ++r) {
      targets.push_back(std::to_string(random.normal()));
      numbers.push_back(std::stod(targets.back()));
    }
    double mean = 0.0, absolute = 0.0, residual = 0.0, total = 0.0;
    for (const double n : numbers) mean += n / 20.0;
    for (std::size_t r = 0; r < 20; ++r) {
      const double error = predictions.decisions(r, 0) - numbers[r];
      absolute += std::abs(error);
      residual += error * error;
      total += (numbers[r] - mean) * (numbers[r] - mean);
    }
    const NumberScore found = score(model, predictions, targets).numbers.value();
    EXPECT_NEAR(found.mean_absolute_error, absolute / 20.0, 1e-12);
    EXPECT_NEAR(found.root_mean_squared_error, std::sqrt(residual / 20.0), 1e-12);
    EXPECT_NEAR(found.r_squared.value(), 1.0 - residual / total, 1e-9);
  }
}

TEST(Score, OfARegressorHasNoRSquaredWhereAllTargetsAreEqual) {
  const Model model(
      KernelRegressor{KernelMachine(normal_rows(2, 1, 1), {1.0, 1.0}, Kernel(1.0), 0.0), {}});
  const Score found =
      score(model, predict(model, normal_rows(2, 1, 2)), std::vector<std::string>{"3", "3"});
  EXPECT_FALSE(found.numbers->r_squared.has_value());
}

TEST(Score, SaysWhichTargetIsNoNumber) {
  const Model model(
      KernelRegressor{KernelMachine(normal_rows(2, 1, 1), {1.0, 1.0}, Kernel(1.0), 0.0), {}});
  Scorer scorer(model);
  const Predictions predictions = predict(model, normal_rows(2, 1, 2));
  try {
    scorer.add(predictions, std::vector<std::string>{"3", "high"});
    FAIL() << "no error";
  } catch (const InvalidRow& error) {
    EXPECT_STREQ(error.what(), "row 2, the target is \"high\", expected a number");
  }
}

TEST(Score, OfAOneClassModelIsTheShareInsideAndWithLabelsThatOfClasses) {
  const Model model(OneClassMachine{KernelMachine(Matrix(1, 1, {0.0}), {1.0}, Kernel(1.0), -0.5)});
  const Predictions predictions = predict(model, Matrix(4, 1, {0.0, 0.1, 3.0, 4.0}));
  Scorer without(model);
  without.add(predictions);
  const Score plain = without.score();
  EXPECT_DOUBLE_EQ(plain.inside.value(), 0.5);
  EXPECT_FALSE(plain.classes.has_value());
  const Score labeled = score(model, predictions, std::vector<std::string>{"+1", "1", "1.0", "-1"});
  EXPECT_DOUBLE_EQ(labeled.inside.value(), 0.5);
  EXPECT_DOUBLE_EQ(labeled.classes->accuracy, 0.75);
  EXPECT_DOUBLE_EQ(labeled.classes->auc.value(), 1.0);
}

TEST(Score, LeavesOutAndCountsRowsWithoutATarget) {
  const Model model = machine_of("yes", "no");
  const Predictions predictions = predict(model, Matrix(3, 1, {2.0, 1.0, -1.0}));
  const Score found = score(model, predictions, std::vector<std::string>{"yes", "", "no"});
  EXPECT_EQ(found.rows, 2u);
  EXPECT_EQ(found.without_target, 1u);
  EXPECT_THROW(score(model, predictions, std::vector<std::string>{"", "?", "NA"}), InvalidInput);
  EXPECT_THROW(score(model, predictions, std::vector<std::string>{"yes"}), InvalidInput);
}

TEST(Score, InChunksIsTheSame) {
  const Case c = random_case(7);
  const Score at_once = score(c.model, c.predictions, c.targets);
  Scorer scorer(c.model);
  for (std::size_t r = 0; r < c.targets.size(); ++r)
    scorer.add(
        {Matrix(1, c.predictions.decisions.cols(),
                {c.predictions.decisions.row(r).begin(), c.predictions.decisions.row(r).end()}),
         {c.predictions.classes[r]}},
        std::span(c.targets).subspan(r, 1));
  EXPECT_EQ(scorer.score(), at_once);
}

}  // namespace
}  // namespace bisector
