#include "core/evaluate/imputation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bisector/evaluate.h"
#include "core/evaluate/testing_data.h"
#include "reference/error_of.h"

namespace bisector {
namespace {

TEST(Donors, HalvesShareNoRowAndCoverTheBackground) {
  for (const std::size_t rows : {100u, 101u, 1000u, 1001u}) {
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
      const DonorSplit split = split_donors(rows, std::nullopt, seed);
      EXPECT_EQ(split.donors, Donors::disjoint);
      EXPECT_EQ(split.rule.size(), rows / 2);
      EXPECT_TRUE(std::ranges::is_sorted(split.rule));
      EXPECT_TRUE(std::ranges::is_sorted(split.imputation));
      std::vector<int> seen(rows, 0);
      for (const std::size_t row : split.rule) ++seen.at(row);
      for (const std::size_t row : split.imputation) ++seen.at(row);
      EXPECT_EQ(seen, std::vector<int>(rows, 1));
      EXPECT_EQ(split.rule, split_donors(rows, Donors::disjoint, seed).rule);
      EXPECT_NE(split.rule, split_donors(rows, Donors::disjoint, seed + 1).rule);
    }
  }
}

TEST(Donors, FewRowsAreNotSplit) {
  const DonorSplit split = split_donors(99, std::nullopt, 0);
  EXPECT_EQ(split.donors, Donors::same);
  EXPECT_EQ(split.rule.size(), 99u);
  EXPECT_EQ(split.rule, split.imputation);
  EXPECT_EQ(split_donors(1000, Donors::same, 0).imputation.size(), 1000u);
  EXPECT_EQ(error_of([] { split_donors(99, Donors::disjoint, 0); }),
            "the background has 99 rows, expected at least 100 for disjoint donors: the rules see "
            "one half, the other half imputes");
}

TEST(Donors, RowsAreTakenOutAsOftenAsTheyOccur) {
  const Matrix given(5, 2, {1, 2, 3, 4, 1, 2, 5, 6, 7, 8});
  const Matrix removed(3, 2, {1, 2, 5, 6, 9, 9});
  EXPECT_EQ(detail::without_rows(given, removed), Matrix(3, 2, {3, 4, 1, 2, 7, 8}));
  EXPECT_NE(error_of([&] { detail::without_rows(given, given); }).find("0 of the 5 rows"),
            std::string::npos);
}

/// A machine whose rule goes by its background: the reference is the mean.
struct Scene {
  Matrix points = two_clouds(20, 4, 1);
  Model model{KernelClassifier::two_class(KernelMachine(
                                              points,
                                              [] {
                                                std::vector<double> c(20);
                                                for (std::size_t n = 0; n < 20; ++n)
                                                  c[n] = n % 2 == 0 ? 1.0 : -1.0;
                                                return c;
                                              }(),
                                              Kernel(0.1), 0.1),
                                          "up", "down")};
  Matrix rows = two_clouds(10, 4, 2), background = two_clouds(120, 4, 3);
  std::vector<Candidate> candidates{{"lrp", EtaRule{.eta = 0.2}}};
};

// By hand: the rule with its half, imputation with the other.
TEST(Donors, RulesAndCompletionSeeTheirHalves) {
  const Scene scene;
  EvaluateOptions options;
  options.explain.reference = {Reference::Kind::mean, {}};
  options.flipping.seed = 4;
  const Evaluation found =
      evaluate(scene.model, scene.rows, scene.background, scene.candidates, options);
  EXPECT_EQ(found.donors, Donors::disjoint);
  EXPECT_EQ(found.rule_background, 60u);
  EXPECT_EQ(found.background, 60u);

  const DonorSplit split = split_donors(120, Donors::disjoint, 4);
  ExplainOptions explain = options.explain;
  explain.background = gather_rows(scene.background, split.rule);
  Explanation e = bisector::explain(scene.model, scene.rows, EtaRule{.eta = 0.2}, explain);
  orient_to_prediction(e);
  const auto expected = pixel_flipping(
      DensityEstimate(gather_rows(scene.background, split.imputation).view()), scene.rows,
      {&e.relevance, 1},
      [&](MatrixView<const double> batch) { return predict(scene.model, batch).classes; },
      options.flipping);
  EXPECT_EQ(found.results[0].curves, expected[0].curves);
}

// Rules that were given the whole background lose the donor rows, and are as if it had not
// been given; another background of theirs is left as it is.
TEST(Donors, ABackgroundOfTheRulesLosesTheDonors) {
  const Scene scene;
  EvaluateOptions options;
  options.explain.reference = {Reference::Kind::mean, {}};
  const auto run = [&] {
    return evaluate(scene.model, scene.rows, scene.background, scene.candidates, options);
  };
  const Evaluation plain = run();
  options.explain.background = scene.background;
  const Evaluation whole = run();
  EXPECT_EQ(whole.rule_background, 60u);
  EXPECT_EQ(whole.results[0].curves, plain.results[0].curves);
  options.explain.background = two_clouds(70, 4, 9);
  EXPECT_EQ(run().rule_background, 70u);
  options.donors = Donors::same;
  options.explain.background = std::nullopt;
  const Evaluation same = run();
  EXPECT_EQ(same.donors, Donors::same);
  EXPECT_EQ(same.rule_background, 0u);
  EXPECT_EQ(same.background, 120u);
}

}  // namespace
}  // namespace bisector
