#include <gtest/gtest.h>

#include <numeric>

#include "common/synthetic.h"
#include "paper/study_folder.h"
#include "studies.h"
#include "truth/truth_problems.h"

namespace bisector::paper {
namespace {

TEST(Truth, ScoresEqualHandComputedOnes) {
  const Matrix effects(2, 3, {1.0, -2.0, 0.0, 0.4, 3.0, 0.0});
  const TruthScore exact = compare_with_truth(effects, effects);
  EXPECT_DOUBLE_EQ(exact.sign, 1.0);
  EXPECT_DOUBLE_EQ(exact.unused, 0.0);
  EXPECT_NEAR(exact.correlation, 1.0, 1e-12);
  // Of three effects above 0.5 one has the wrong sign; 0.4 does not count.
  const TruthScore wrong =
      compare_with_truth(Matrix(2, 3, {-1.0, -1.0, 2.0, -1.0, 1.0, 0.0}), effects);
  EXPECT_DOUBLE_EQ(wrong.sign, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(wrong.unused, 0.25);
}

TEST(Truth, AdditiveProblemsAreSumsOfTheirEffects) {
  const AdditiveProblem problem = make_additive(2000, 0.5, 3);
  double product = 0.0, worst = 0.0;
  for (std::size_t r = 0; r < 2000; ++r) {
    const auto effects = problem.effects.row(r);
    worst = std::max(
        worst, std::abs(problem.target[r] - std::accumulate(effects.begin(), effects.end(), 0.0)));
    EXPECT_EQ(effects[6], 0.0);
    EXPECT_EQ(effects[7], 0.0);
    product += problem.rows(r, 0) * problem.rows(r, 7) / 2000.0;
  }
  EXPECT_LT(worst, 0.5);  // five deviations of the noise
  EXPECT_NEAR(product, 0.5, 0.08);
  EXPECT_NE(problem.rows, make_additive(2000, 0.5, 4).rows);
}

TEST(Truth, TwoFeaturesOfARowAreDisplaced) {
  const DisplacedProblem problem = make_displaced(10, 50, 0.0, 1);
  EXPECT_EQ(problem.usual.rows(), 10u);
  for (std::size_t r = 0; r < 50; ++r) {
    std::size_t displaced = 0;
    for (const double effect : problem.effects.row(r)) {
      displaced += effect != 0.0;
      EXPECT_TRUE(effect == 0.0 || (effect <= -4.5 && effect >= -12.5)) << effect;
    }
    EXPECT_EQ(displaced, 2u);
  }
}

class TruthStudy : public StudyFolder {};

TEST_F(TruthStudy, RunsAndContinues) {
  const TruthOptions options{{{}, folder_}, 2, 10, 60, 60};
  std::ostringstream log;
  run_truth(options, log);
  const std::string page = read("truth.md"), journal = read("truth.journal");
  for (const char* title : {"## Kernel ridge, independent", "## SVR, all correlations 0.5",
                            "## SVM,", "## KNN (k = 9),", "## One-class SVM,"})
    EXPECT_NE(page.find(title), std::string::npos) << title;
  EXPECT_NE(page.find("| shapley of votes with background |"), std::string::npos);
  EXPECT_EQ(read("truth.csv").find("nan"), std::string::npos);
  run_truth(options, log);
  EXPECT_EQ(read("truth.md"), page);
  EXPECT_EQ(read("truth.journal"), journal);  // nothing was computed again
  std::filesystem::remove(folder_ / "truth.journal");
  run_truth(options, log);
  EXPECT_EQ(read("truth.md"), page);
}

}  // namespace
}  // namespace bisector::paper
