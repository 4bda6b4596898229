#include "bisector/train/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/score.h"
#include "bisector/train/train.h"
#include "train/toy_data.h"

namespace bisector {
namespace {

/// The mean over the folds of the score of a model that is trained from scratch.
double slow_score(const Learner& learner, const Matrix& rows, const Target& target,
                  const std::vector<std::size_t>& fold_of, std::size_t folds) {
  double total = 0.0;
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> training, held_out;
    for (std::size_t r = 0; r < rows.rows(); ++r)
      (fold_of[r] == f ? held_out : training).push_back(r);
    const Matrix known = test::picked(rows, training), unknown = test::picked(rows, held_out);
    double sum = 0.0;
    if (const auto* classes = std::get_if<ClassTarget>(&target)) {
      ClassTarget part{{}, classes->labels};
      for (const std::size_t r : training) part.classes.push_back(classes->classes[r]);
      const Model model(fit(learner, known.view(), part));
      const Predictions found = predict(model, unknown.view());
      for (std::size_t n = 0; n < held_out.size(); ++n)
        sum += model.labels()[found.classes[n]] == classes->labels[classes->classes[held_out[n]]];
    } else {
      const auto& numbers = std::get<std::vector<double>>(target);
      std::vector<double> part;
      for (const std::size_t r : training) part.push_back(numbers[r]);
      const Predictions found = predict(Model(fit(learner, known.view(), part)), unknown.view());
      for (std::size_t n = 0; n < held_out.size(); ++n)
        sum -= std::abs(found.decisions(n, 0) - numbers[held_out[n]]);
    }
    total += sum / static_cast<double>(held_out.size());
  }
  return total / static_cast<double>(folds);
}

TuneOptions small_grid() {
  TuneOptions options;
  options.grid = {{0.1, 1.0, 10.0}, {0.1, 10.0}, {0.01, 1.0}, {1, 3, 4, 7}};
  options.folds = 4;
  options.seed = 5;
  return options;
}

void expect_slow_scores(const Learner& learner, const Matrix& rows, const Target& target,
                        std::size_t trials, double tolerance) {
  const TuneOptions options = small_grid();
  const TuneResult tuning = tune(learner, rows.view(), target, options);
  ASSERT_EQ(tuning.trials.size(), trials);
  std::vector<std::size_t> classes(rows.rows(), 0);
  std::size_t class_count = 1;
  if (const auto* labeled = std::get_if<ClassTarget>(&target)) {
    classes = labeled->classes;
    class_count = labeled->labels.size();
  }
  const auto fold_of = stratified_folds(classes, class_count, options.folds, options.seed);
  std::size_t best = 0;
  for (std::size_t t = 0; t < trials; ++t) {
    const Trial& trial = tuning.trials[t];
    EXPECT_NEAR(trial.mean, slow_score(trial.learner, rows, target, fold_of, options.folds),
                tolerance);
    if (trial.mean > tuning.trials[best].mean) best = t;
  }
  EXPECT_EQ(tuning.best, best);
}

TEST(Tune, HasTheScoresOfModelsTrainedFromScratch) {
  const auto two = test::clouds(1, 90, 2), four = test::clouds(2, 100, 4);
  const auto numbers = test::waves(3, 80);
  expect_slow_scores(SvmLearner{}, two.rows, two.target, 6, 1e-12);
  expect_slow_scores(SvmLearner{1, 1, ClassWeight::none}, four.rows, four.target, 6, 1e-12);
  expect_slow_scores(NeighborLearner{}, two.rows, two.target, 4, 1e-12);
  expect_slow_scores(NeighborLearner{}, four.rows, four.target, 4, 1e-12);
  expect_slow_scores(SvrLearner{1, 1, 0.02}, numbers.rows, numbers.target, 6, 1e-6);
  expect_slow_scores(RidgeLearner{}, numbers.rows, numbers.target, 6, 1e-9);
}

/// On a grid, so that some rows stand at points of other folds.
Matrix rounded(Matrix rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (double& value : rows.row(r)) value = std::round(2.0 * value) / 2.0;
  }
  return rows;
}

TEST(Tune, HasTheScoresOfNeighborsWithTheirWeightsAndDistances) {
  const auto classes = test::clouds(2, 100, 4, 2);
  const auto numbers = test::waves(3, 80);
  for (const Distance& distance : {Distance(), Distance::manhattan(), Distance(3.0),
                                   Distance::cosine(), Distance(1.0, {0.5, 0.0})}) {
    for (const auto weights : {NeighborVote::Weights::uniform, NeighborVote::Weights::distance}) {
      const NeighborLearner learner{9, {weights, std::nullopt, {}, distance}};
      for (const bool is_grid : {false, true}) {
        // The cosine of a row of zeros is undefined.
        if (is_grid && distance.is_cosine()) continue;
        expect_slow_scores(learner, is_grid ? rounded(classes.rows) : classes.rows, classes.target,
                           4, 1e-12);
        expect_slow_scores(learner, is_grid ? rounded(numbers.rows) : numbers.rows, numbers.target,
                           4, 1e-12);
      }
    }
  }
}

bool same(const TuneResult& a, const TuneResult& b) {
  return a.best == b.best &&
         std::ranges::equal(a.trials, b.trials, [](const auto& x, const auto& y) {
           return x.learner == y.learner && x.mean == y.mean && x.deviation == y.deviation;
         });
}

TEST(Tune, GivesTheSameForAnyNumberOfThreads) {
  const auto toy = test::clouds(7, 150, 3);
  const auto numbers = test::waves(7, 60);
  const auto scores = [&](const Learner& learner, const Matrix& rows, const Target& target,
                          unsigned threads) {
    TuneOptions options = small_grid();
    options.threads = threads;
    return tune(learner, rows.view(), target, options);
  };
  for (const Learner& learner : {Learner(SvmLearner{}), Learner(NeighborLearner{})})
    EXPECT_TRUE(
        same(scores(learner, toy.rows, toy.target, 1), scores(learner, toy.rows, toy.target, 2)));
  for (const Learner& learner : {Learner(SvrLearner{}), Learner(RidgeLearner{})})
    EXPECT_TRUE(same(scores(learner, numbers.rows, numbers.target, 1),
                     scores(learner, numbers.rows, numbers.target, 2)));
}

/// A chessboard of unit fields on [0, 4) x [0, 4).
test::ToyClasses chessboard(std::size_t count) {
  Random random(11);
  test::ToyClasses toy{Matrix(count, 2), {{}, {"black", "white"}}};
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t d = 0; d < 2; ++d) toy.rows(r, d) = 4.0 * random.uniform();
    toy.target.classes.push_back(static_cast<std::size_t>(toy.rows(r, 0)) % 2 ^
                                 static_cast<std::size_t>(toy.rows(r, 1)) % 2);
  }
  return toy;
}

TEST(Tune, FindsTheWidthOfAChessboardsFields) {
  const auto toy = chessboard(500);
  TuneOptions options;
  options.grid.gamma = {0.0001, 4.0, 10000.0};
  options.grid.cost = {10.0};
  const TuneResult tuning = tune(SvmLearner{}, toy.rows.view(), toy.target, options);
  EXPECT_EQ(tuning.best, 1u);
  EXPECT_EQ(tuning.score, TuneScore::accuracy);
  EXPECT_GT(tuning.trials[1].mean, 0.85);
  EXPECT_LT(tuning.trials[0].mean, 0.7);
  EXPECT_LT(tuning.trials[2].mean, 0.7);
}

TEST(Tune, PrefersTheSmoothestOfEquals) {
  // Two clouds so far apart that everything is right all the time.
  Matrix rows(40, 1);
  ClassTarget target{{}, {"a", "b"}};
  for (std::size_t r = 0; r < 40; ++r) {
    rows(r, 0) = (r % 2 == 0 ? -1.0 : 1.0) + 0.001 * static_cast<double>(r);
    target.classes.push_back(r % 2);
  }
  TuneOptions options;
  options.grid = {{3.0, 1.0, 1.0}, {10.0, 1.0}, {1.0}, {3, 7, 5}};  // in no order, one twice
  const TuneResult svm = tune(SvmLearner{}, rows.view(), target, options);
  EXPECT_EQ(svm.trials.size(), 4u);
  EXPECT_EQ(svm.trials[svm.best].mean, 1.0);
  EXPECT_EQ(std::get<SvmLearner>(svm.trials[svm.best].learner), (SvmLearner{1.0, 1.0}));
  const TuneResult neighbors = tune(NeighborLearner{}, rows.view(), target, options);
  EXPECT_EQ(std::get<NeighborLearner>(neighbors.trials[neighbors.best].learner).k, 7u);
}

/// Classes that no feature predicts: every difference of the scores is chance.
test::ToyClasses coin_flips(std::uint64_t seed) {
  Random random(seed);
  test::ToyClasses toy{Matrix(80, 3), {{}, {"a", "b"}}};
  for (std::size_t r = 0; r < 80; ++r) {
    for (std::size_t d = 0; d < 3; ++d) toy.rows(r, d) = random.normal();
    toy.target.classes.push_back(r % 2);
  }
  return toy;
}

TEST(Tune, KeepsTheGivenParametersIfOthersAreBetterByChance) {
  std::size_t kept = 0, largest_is_given = 0;
  constexpr std::size_t kProblems = 20;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const auto toy = coin_flips(seed);
    TuneOptions options;
    options.repeats = 3;
    const TuneResult largest = tune(SvmLearner{}, toy.rows.view(), toy.target, options);
    EXPECT_FALSE(largest.given);
    largest_is_given += largest.trials[largest.best].learner == Learner(SvmLearner{});
    options.keeps_given = true;
    const TuneResult tuning = tune(SvmLearner{}, toy.rows.view(), toy.target, options);
    EXPECT_TRUE(tuning.trials.at(tuning.given.value()).learner == Learner(SvmLearner{}));
    EXPECT_EQ(tuning.trials[*tuning.given].standard_error, 0.0);
    kept += tuning.best == *tuning.given;
  }
  EXPECT_GE(kept, kProblems * 9 / 10);
  EXPECT_LE(largest_is_given, kProblems * 4 / 10);
}

TEST(Tune, LeavesTheGivenParametersIfOthersAreMuchBetter) {
  const auto toy = chessboard(500);
  TuneOptions options;
  options.grid.gamma = {0.0001, 4.0, 10000.0};
  options.grid.cost = {10.0};
  options.keeps_given = true;
  const TuneResult tuning = tune(SvmLearner{0.0001, 10.0}, toy.rows.view(), toy.target, options);
  EXPECT_EQ(tuning.given, 0u);
  EXPECT_EQ(tuning.best, 1u);
  const auto bound = [&](const Trial& trial) {
    return trial.mean - kSignificantErrors * trial.standard_error;
  };
  EXPECT_GT(bound(tuning.trials[1]), bound(tuning.trials[0]));
  EXPECT_GT(bound(tuning.trials[1]), bound(tuning.trials[2]));
  // A grid without the given parameters: the largest mean.
  const TuneResult others = tune(SvmLearner{1.0, 1.0}, toy.rows.view(), toy.target, options);
  EXPECT_FALSE(others.given);
  EXPECT_EQ(others.best, 1u);
}

TEST(Tune, RepeatsAreFurtherFoldsOfTheNextSeeds) {
  const auto toy = test::clouds(1, 90, 2);
  const auto numbers = test::waves(3, 80);
  const auto expect_means = [](const Learner& learner, const Matrix& rows, const Target& target) {
    TuneOptions options = small_grid(), next = small_grid();
    ++next.seed;
    const TuneResult first = tune(learner, rows.view(), target, options);
    const TuneResult second = tune(learner, rows.view(), target, next);
    options.repeats = 2;
    const TuneResult both = tune(learner, rows.view(), target, options);
    for (std::size_t t = 0; t < both.trials.size(); ++t)
      EXPECT_NEAR(both.trials[t].mean, (first.trials[t].mean + second.trials[t].mean) / 2, 1e-12);
  };
  expect_means(SvmLearner{}, toy.rows, toy.target);
  expect_means(NeighborLearner{}, toy.rows, toy.target);
  expect_means(RidgeLearner{}, numbers.rows, numbers.target);
}

/// 60 rows of a large class with 12 of a small one among them.
test::ToyClasses imbalanced() {
  Random random(7);
  test::ToyClasses toy{Matrix(72, 2), {{}, {"large", "small"}}};
  for (std::size_t r = 0; r < 72; ++r) {
    const bool is_small = r % 6 == 0;
    for (std::size_t d = 0; d < 2; ++d) toy.rows(r, d) = random.normal() + (is_small ? 1.2 : 0.0);
    toy.target.classes.push_back(is_small ? 1 : 0);
  }
  return toy;
}

/// The score of a model that is trained from scratch for every fold.
double slow_class_score(const Learner& learner, const test::ToyClasses& toy,
                        const TuneOptions& options) {
  const auto fold_of = stratified_folds(toy.target.classes, 2, options.folds, options.seed);
  double total = 0.0;
  for (std::size_t f = 0; f < options.folds; ++f) {
    std::vector<std::size_t> training, held_out;
    for (std::size_t r = 0; r < toy.rows.rows(); ++r)
      (fold_of[r] == f ? held_out : training).push_back(r);
    const Matrix known = test::picked(toy.rows, training), other = test::picked(toy.rows, held_out);
    ClassTarget part{{}, toy.target.labels};
    for (const std::size_t r : training) part.classes.push_back(toy.target.classes[r]);
    const Model model(fit(learner, known.view(), part));
    std::vector<std::string> actual;
    for (const std::size_t r : held_out) actual.push_back(toy.target.labels[toy.target.classes[r]]);
    const ClassScore score =
        bisector::score(model, predict(model, other.view()), actual).classes.value();
    total += options.score == TuneScore::auc ? score.auc.value() : score.balanced_accuracy;
  }
  return total / static_cast<double>(options.folds);
}

TEST(Tune, MaximizesTheChosenScore) {
  const auto toy = imbalanced();
  for (const Learner& learner : {Learner(SvmLearner{}), Learner(NeighborLearner{})}) {
    for (const TuneScore score : {TuneScore::balanced_accuracy, TuneScore::auc}) {
      TuneOptions options = small_grid();
      options.score = score;
      const TuneResult tuning = tune(learner, toy.rows.view(), toy.target, options);
      EXPECT_EQ(tuning.score, score);
      for (const Trial& trial : tuning.trials) {
        EXPECT_NEAR(trial.mean, slow_class_score(trial.learner, toy, options), 1e-9)
            << score_name(score);
        EXPECT_LE(trial.mean, tuning.trials[tuning.best].mean);
      }
    }
  }
}

TEST(Tune, RSquaredIsOneMinusTheUnexplainedFraction) {
  const auto numbers = test::waves(3, 80);
  TuneOptions options = small_grid();
  options.score = TuneScore::r_squared;
  const TuneResult tuning = tune(RidgeLearner{}, numbers.rows.view(), numbers.target, options);
  EXPECT_GT(tuning.trials[tuning.best].mean, 0.5);
  for (const Trial& trial : tuning.trials) EXPECT_LE(trial.mean, 1.0);
}

TEST(Tune, RefusesAScoreThatDoesNotFitTheTarget) {
  const auto toy = test::clouds(3, 60, 3);
  TuneOptions options = small_grid();
  options.score = TuneScore::auc;
  EXPECT_THROW(tune(SvmLearner{}, toy.rows.view(), toy.target, options), InvalidInput);
  options.score = TuneScore::r_squared;
  EXPECT_THROW(tune(SvmLearner{}, toy.rows.view(), toy.target, options), InvalidInput);
  options.score = TuneScore::accuracy;
  EXPECT_THROW(tune(RidgeLearner{}, toy.rows.view(), std::vector<double>(60, 1.0), options),
               InvalidInput);
}

TEST(Tune, ReportsProgressUpToOne) {
  const auto toy = test::clouds(3, 60, 2);
  for (const Learner& learner : {Learner(SvmLearner{}), Learner(NeighborLearner{})}) {
    TuneOptions options = small_grid();
    std::vector<double> seen;
    options.progress = [&](double fraction) { seen.push_back(fraction); };
    tune(learner, toy.rows.view(), toy.target, options);
    ASSERT_FALSE(seen.empty());
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GT(seen.front(), 0.0);
    EXPECT_EQ(seen.back(), 1.0);
  }
}

TEST(Tune, AllowsAClassOfOneRow) {
  auto toy = test::clouds(3, 30, 2);
  std::ranges::fill(toy.target.classes, std::size_t{0});
  toy.target.classes[4] = 1;
  const TuneResult tuning = tune(SvmLearner{}, toy.rows.view(), toy.target, small_grid());
  for (const Trial& trial : tuning.trials) {
    EXPECT_GE(trial.mean, 0.0);
    EXPECT_LT(trial.mean, 1.0);  // the row is wrong in the fold that holds it out
  }
}

TEST(Tune, RefusesWhatCannotBeTuned) {
  const auto toy = test::clouds(3, 20, 2);
  const auto refuses = [&](const Learner& learner, const Target& target, const auto& change) {
    TuneOptions options;
    change(options);
    EXPECT_THROW(tune(learner, toy.rows.view(), target, options), InvalidInput);
  };
  const auto nothing = [](TuneOptions&) {};
  refuses(OneClassLearner{}, {}, nothing);
  refuses(SvmLearner{}, std::vector<double>(20, 1.0), nothing);
  refuses(RidgeLearner{}, toy.target, nothing);
  refuses(SvmLearner{}, toy.target, [](TuneOptions& o) { o.folds = 1; });
  refuses(SvmLearner{}, toy.target, [](TuneOptions& o) { o.folds = 21; });
  refuses(SvmLearner{}, toy.target, [](TuneOptions& o) { o.grid.gamma = {}; });
  refuses(SvmLearner{}, toy.target, [](TuneOptions& o) { o.grid.cost = {1.0, 0.0}; });
  refuses(NeighborLearner{}, toy.target, [](TuneOptions& o) { o.grid.k = {17}; });
  refuses(NeighborLearner{1, {NeighborVote::Weights::uniform, 2.0, {}, {}}}, toy.target, nothing);
  refuses(NeighborLearner{}, toy.target, [](TuneOptions& o) { o.grid.k = {0}; });
}

TEST(StratifiedFolds, SpreadEveryClassEvenly) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const std::size_t rows = 10 + random.below(200), classes = 1 + random.below(5);
    const std::size_t folds = 2 + random.below(8);
    std::vector<std::size_t> class_of(rows);
    for (auto& c : class_of) c = random.below(classes);
    const auto fold_of = stratified_folds(class_of, classes, folds, seed);
    Matrix counts(classes + 1, folds);  // the last row counts all
    for (std::size_t r = 0; r < rows; ++r) {
      ASSERT_LT(fold_of[r], folds);
      counts(class_of[r], fold_of[r]) += 1;
      counts(classes, fold_of[r]) += 1;
    }
    for (std::size_t c = 0; c <= classes; ++c) {
      const auto [fewest, most] = std::ranges::minmax(counts.row(c));
      EXPECT_LE(most - fewest, 1.0);
    }
    EXPECT_EQ(fold_of, stratified_folds(class_of, classes, folds, seed));
  }
  const std::vector<std::size_t> one_class(50, 0);
  EXPECT_NE(stratified_folds(one_class, 1, 5, 1), stratified_folds(one_class, 1, 5, 2));
}

TEST(Train, ScalesTunesAndFits) {
  auto toy = test::clouds(8, 100, 2);
  for (std::size_t r = 0; r < 100; ++r) toy.rows(r, 0) = 1000.0 + 50.0 * toy.rows(r, 0);
  TrainOptions options;
  options.tune = small_grid();
  options.feature_names = {"p", "q", "r"};
  const TrainResult training = train(SvmLearner{}, toy.rows.view(), toy.target, options);
  const TuneResult& tuning = training.tuning.value();
  EXPECT_EQ(training.learner, tuning.trials[tuning.best].learner);
  EXPECT_EQ(training.model.median_distance(), 1.0);
  EXPECT_EQ(training.model.feature_names(), options.feature_names);
  EXPECT_EQ(std::get<KernelClassifier>(training.model.predictor()).gamma(),
            std::get<SvmLearner>(training.learner).gamma);
  const Predictions found = predict(training.model, toy.rows.view());
  std::size_t right = 0;
  for (std::size_t r = 0; r < 100; ++r)
    right += training.model.labels()[found.classes[r]] == toy.target.labels[toy.target.classes[r]];
  EXPECT_GE(right, 80u);
}

}  // namespace
}  // namespace bisector
