#include "oracle/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/lemmas.h"
#include "oracle/neighbors.h"
#include "reference/nested_sums.h"

namespace bisector::oracle {
namespace {

TEST(Oracle, FindsNothingWrongInAnyFamily) {
  for (const Family& family : families()) {
    const Comparisons comparisons = compare(family, 3, 1000000);
    for (const std::size_t precision : {0, 1}) {
      SCOPED_TRACE(family.name + (precision == 0 ? ", double" : ", single"));
      const Comparison& comparison = comparisons[precision];
      EXPECT_EQ(comparison.wrong, 0u);
      EXPECT_EQ(comparison.not_finite, 0u);
      EXPECT_LE(comparison.largest_share, 1.0);
      EXPECT_GT(comparison.decided, 0u);
      EXPECT_GT(comparison.determined, 0u);
    }
  }
}

TEST(Oracle, FindsNothingWrongAmongNeighbors) {
  for (const NeighborFamily& family : neighbor_families()) {
    SCOPED_TRACE(family.name);
    const NeighborComparison comparison = compare(family, 20, 1000000);
    EXPECT_EQ(comparison.wrong, 0u);
    EXPECT_EQ(comparison.differing, 0u);
    EXPECT_GT(comparison.decided, 0u);
  }
}

TEST(Oracle, FindsNoSignThatALemmaDoesNotKeep) {
  for (const auto& counts : {check_kernels(300, 20, 1000000), check_votes(300, 20, 1000000)}) {
    for (const LemmaCount& count : counts) {
      EXPECT_EQ(count.wrong, 0u) << count.name;
      EXPECT_GT(count.decided, count.rows / 3) << count.name;
    }
  }
}

TEST(Oracle, AgreesWithTheNestedSums) {
  const Case given = families().front().make(1);  // an intercept of zero
  const KernelMachine& machine = given.machine;
  const std::vector<double> origin(machine.features(), 0.0);
  for (std::size_t r = 0; r < given.rows.rows(); ++r) {
    const auto x = given.rows.row(r);
    const auto pools =
        reference::pools_at(machine.points(), machine.coefficients(), machine.intercept(), x);
    const auto net = reference::layers(machine.gamma(), x, pools);
    const auto expected = reference::relevance(0.4, x, origin, pools,
                                               reference::positive_weights(machine.gamma(), net, 0),
                                               reference::negative_weights(machine.gamma(), net));
    const ExactRow row(machine, x);
    EXPECT_EQ(row.sign(), net.g > 0.0 ? 1 : -1);
    const auto relevance = row.relevance(0.4, origin, kDouble);
    for (std::size_t d = 0; d < x.size(); ++d)
      EXPECT_NEAR(relevance.values[d].to_double(), expected[d],
                  1e-10 * (1.0 + std::abs(expected[d])));
  }
}

// Two points that all but cancel: the oracle sees a difference of 1e-15, and that no double does.
TEST(Oracle, KnowsWhatRoundingCannotDecide) {
  const Matrix points(2, 1, {0.0, 1.0});
  const KernelMachine close(points, {1.0, -1.0 - 1e-15}, Kernel(1.0), 0.0);
  const KernelMachine clear(points, {1.0, -1.0 - 1e-6}, Kernel(1.0), 0.0);
  const std::vector<double> middle{0.5};
  EXPECT_EQ(ExactRow(close, middle).sign(), -1);
  EXPECT_FALSE(ExactRow(close, middle).exceeds_bound(kDouble));
  EXPECT_EQ(ExactRow(clear, middle).sign(), -1);
  EXPECT_TRUE(ExactRow(clear, middle).exceeds_bound(kDouble));
  EXPECT_FALSE(ExactRow(clear, middle).exceeds_bound(kSingle));
}

}  // namespace
}  // namespace bisector::oracle
