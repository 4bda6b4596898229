// Rows to learn from and to hold out.
#include "bisector/train/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "bisector/random.h"
#include "bisector/train/train.h"

namespace bisector {
namespace {

ClassTarget random_classes(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  ClassTarget target;
  for (std::size_t c = 0; c < classes; ++c) target.labels.push_back(std::to_string(c));
  for (std::size_t r = 0; r < rows; ++r)
    target.classes.push_back(r < classes ? r
                                         : std::min(random.below(classes), random.below(classes)));
  return target;
}

double count(const ClassTarget& target, std::size_t label, const std::vector<std::size_t>& rows) {
  return static_cast<double>(
      std::ranges::count_if(rows, [&](std::size_t r) { return target.classes[r] == label; }));
}

TEST(SplitRows, KeepsTheSharesOfTheClasses) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t rows = 20 + seed, classes = 2 + seed % 4;
    const ClassTarget target = random_classes(rows, classes, seed);
    const double holdout = 0.1 + 0.1 * static_cast<double>(seed % 5);
    const RowSplit split = split_rows(target, rows, {holdout, std::nullopt, seed});
    EXPECT_EQ(split.held_out.size(),
              static_cast<std::size_t>(std::lround(holdout * static_cast<double>(rows))));
    EXPECT_EQ(split.training.size() + split.held_out.size(), rows);
    std::vector<std::size_t> all = split.training;
    all.insert(all.end(), split.held_out.begin(), split.held_out.end());
    std::ranges::sort(all);
    for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(all[r], r);
    EXPECT_TRUE(std::ranges::is_sorted(split.training));
    for (std::size_t c = 0; c < classes; ++c) {
      const double of_class = count(target, c, all), learned = count(target, c, split.training);
      EXPECT_GE(learned, 1.0);
      EXPECT_NEAR(of_class - learned, holdout * of_class, 2.0);
    }
  }
}

TEST(SplitRows, ASampleDoesNotChangeWhatIsHeldOut) {
  const ClassTarget target = random_classes(100, 3, 1);
  const RowSplit all = split_rows(target, 100, {0.2, std::nullopt, 5});
  const RowSplit some = split_rows(target, 100, {0.2, 30, 5});
  EXPECT_EQ(some.held_out, all.held_out);
  EXPECT_EQ(some.training.size(), 30u);
  EXPECT_TRUE(std::ranges::includes(all.training, some.training));
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(count(target, c, some.training), 0.375 * count(target, c, all.training), 1.5);
}

TEST(SplitRows, DependsOnTheSeedAlone) {
  const Target numbers = std::vector<double>(50, 1.0);
  EXPECT_EQ(split_rows(numbers, 50, {0.3, {}, 1}), split_rows(numbers, 50, {0.3, {}, 1}));
  EXPECT_NE(split_rows(numbers, 50, {0.3, {}, 1}), split_rows(numbers, 50, {0.3, {}, 2}));
  const RowSplit everything = split_rows(Target{}, 10, {});
  EXPECT_EQ(everything.training.size(), 10u);
  EXPECT_TRUE(everything.held_out.empty());
}

TEST(SplitRows, NeedsARowOfEachClass) {
  const ClassTarget target = random_classes(4, 3, 1);
  EXPECT_THROW(split_rows(target, 4, {0.5, {}, 0}), InvalidInput);
  EXPECT_THROW(split_rows(target, 4, {0.0, 2, 0}), InvalidInput);
  EXPECT_THROW(split_rows(target, 4, {1.0, {}, 0}), InvalidInput);
  EXPECT_EQ(split_rows(target, 4, {0.25, {}, 0}).training.size(), 3u);
}

TEST(TargetOfRows, TakesThoseRows) {
  const std::vector<std::size_t> rows = {2, 0};
  EXPECT_EQ(std::get<std::vector<double>>(target_of_rows(std::vector<double>{1, 2, 3}, rows)),
            (std::vector<double>{3, 1}));
  EXPECT_EQ(std::get<ClassTarget>(target_of_rows(ClassTarget{{0, 1, 1}, {"a", "b"}}, rows)),
            (ClassTarget{{1, 0}, {"a", "b"}}));
}

TEST(RowLimit, FollowsFromTheMatricesThatALearnerHolds) {
  EXPECT_EQ(row_limit(RidgeLearner{}, false), 20'000u);
  EXPECT_EQ(row_limit(RidgeLearner{}, true), 10'000u);
  EXPECT_EQ(row_limit(SvrLearner{}, true), 50'000u);
  SvmLearner learner;
  learner.kernel = {KernelForm::matern32};  // LIBSVM has it only as a matrix
  EXPECT_EQ(row_limit(learner, false), 10'000u);
  EXPECT_EQ(row_limit(NeighborLearner{}, false), std::nullopt);
}

TEST(Train, RefusesMoreRowsThanItsLimitAndSaysWhatToType) {
  Matrix rows(20'001, 1);
  for (std::size_t r = 0; r < rows.rows(); ++r) rows(r, 0) = static_cast<double>(r);
  const std::vector<double> numbers(rows.rows());
  try {
    train(RidgeLearner{}, rows, numbers);
    FAIL() << "no error";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "kernel ridge is trained on at most 20000 rows here, but the table has 20001: use "
        "--sample 20000 to train on some of them, or --limit rows=20001, which takes long");
  }
  EXPECT_NO_THROW(train(NeighborLearner{1}, rows, numbers));
}

// 900 classes made 404,550 machines and took 12 GB.
TEST(Train, RefusesManyClassesOfASupportVectorMachine) {
  Matrix rows(202, 1);
  ClassTarget target;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    rows(r, 0) = static_cast<double>(r);
    target.classes.push_back(r / 2);
    if (r % 2 == 0) target.labels.push_back("c" + std::to_string(r));
  }
  EXPECT_THROW(train(SvmLearner{}, rows, target), InvalidInput);
  EXPECT_NO_THROW(train(NeighborLearner{1}, rows, target));
  TrainOptions options;
  options.limits.classes = 101;
  EXPECT_EQ(train(SvmLearner{}, rows, target, options).model.labels().size(), 101u);
  options.limits = {.rows = 201, .classes = 101};
  EXPECT_THROW(train(SvmLearner{}, rows, target, options), InvalidInput);
}

TEST(Fit, CountsTheIterationsOfLibsvm) {
  Random random(5);
  Matrix rows(400, 2);
  ClassTarget target{{}, {"a", "b"}};
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (double& value : rows.row(r)) value = random.normal();
    target.classes.push_back(random.below(2));  // noise: the solver has to work
  }
  std::vector<std::size_t> seen;
  const auto watched = fit(SvmLearner{1.0, 1000.0}, rows, target, 1,
                           [&](std::size_t iterations) { seen.push_back(iterations); });
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.front(), 400u);
  EXPECT_EQ(watched, fit(SvmLearner{1.0, 1000.0}, rows, target, 1)) << "watching changes nothing";
}

}  // namespace
}  // namespace bisector
