// Votes of pairs, and how ties of them are broken, against the sums as they are written down.
#include "core/models/votes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector {

using namespace detail;

namespace {

using Arrangement = KernelClassifier::Arrangement;

TEST(Votes, OfEqualOnesTheSumOfDecisionsWins) {
  // A ring: each of three classes beats one other; 1 does so most clearly.
  const std::vector<double> ring = {0.2, -0.1, 0.9};  // (0,1), (0,2), (1,2)
  EXPECT_EQ(class_scores(Arrangement::one_vs_one, 3, ring), (std::vector<double>{1, 1, 1}));
  const auto scores = class_scores(Arrangement::one_vs_one_by_confidence, 3, ring);
  const double sums[] = {0.2 - 0.1, -0.2 + 0.9, 0.1 - 0.9};
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_DOUBLE_EQ(scores[c], 1.0 + sums[c] / (3.0 * (std::abs(sums[c]) + 1.0)));
  EXPECT_EQ(winner(scores), 1u);
  EXPECT_EQ(class_scores(Arrangement::one_vs_rest, 3, ring), ring);
}

KernelClassifier four_classes(std::uint64_t seed) {
  Random random(seed);
  return KernelClassifier(reference::random_matrix(random, 12, 3), {3, 3, 3, 3},
                          reference::random_matrix(random, 3, 12), {0.1, -0.1, 0.2, 0.0, 0.1, -0.2},
                          Kernel(0.3), {"a", "b", "c", "d"});
}

TEST(Votes, NoSumOfDecisionsGoesBeforeAVote) {
  std::size_t broken = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const KernelClassifier votes = four_classes(seed);
    Random random(seed + 100);
    const Matrix rows = reference::random_matrix(random, 30, 3);
    const Predictions plain = predict(Model(votes), rows);
    const Predictions by_sums = predict(Model(votes.with_broken_ties()), rows);
    EXPECT_EQ(plain.decisions, by_sums.decisions);
    for (std::size_t r = 0; r < 30; ++r) {
      const auto counted = one_vs_one_votes(plain.decisions.row(r), 4);
      EXPECT_EQ(counted[by_sums.classes[r]], counted[plain.classes[r]]);
      broken += by_sums.classes[r] != plain.classes[r] ? 1 : 0;
    }
  }
  EXPECT_GT(broken, 0u);
}

TEST(Votes, TiesAreBrokenOnlyWhereThereAreSome) {
  Random random(1);
  const Matrix points = reference::random_matrix(random, 6, 2);
  const KernelClassifier rest = KernelClassifier::one_vs_rest(
      points, reference::random_matrix(random, 3, 6), {0, 0, 0}, Kernel(1.0), {"a", "b", "c"});
  EXPECT_THROW(rest.with_broken_ties(), InvalidModel);
  const KernelMachine two(points, {1, 1, 1, -1, -1, -1}, Kernel(1.0), 0.0);
  EXPECT_THROW(KernelClassifier::two_class(two, "a", "b").with_broken_ties(), InvalidModel);
  EXPECT_NE(four_classes(0), four_classes(0).with_broken_ties());
}

}  // namespace
}  // namespace bisector
