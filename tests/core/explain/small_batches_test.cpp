// Batches smaller than a tile, and models of more points than a shard: threads share rows and
// points, and no bit depends on how.
#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include "bisector/explain.h"
#include "bisector/random.h"
#include "core/models/rows.h"
#include "reference/in_g.h"
#include "reference/random_models.h"

namespace bisector {

using namespace detail;

namespace {

Model random_svm(Random& random, std::size_t points, std::size_t features) {
  std::vector<double> coefficients(points);
  for (double& value : coefficients) value = random.normal();
  return Model(
      KernelClassifier::two_class(KernelMachine(reference::random_matrix(random, points, features),
                                                coefficients, Kernel(0.3), 0.1),
                                  "a", "b"));
}

Model random_knn(Random& random, std::size_t points, std::size_t features) {
  std::vector<std::size_t> classes(points);
  for (std::size_t n = 0; n < points; ++n) classes[n] = n < 2 ? n : random.below(2);
  return Model(
      NeighborModel(reference::random_matrix(random, points, features), classes, {"a", "b"}, 5));
}

/// Every row alone, and in batches of several sizes, on several numbers of threads.
void expect_rows_alone(const Model& model, const Matrix& rows, const ExplainOptions& base) {
  ExplainOptions options = base;
  options.threads = 1;
  const Explanation expected = Explainer(model, EtaRule{0.4}, options)(rows);
  for (const unsigned threads : {1u, 2u, 3u, 5u}) {
    options.threads = threads;
    const Explainer explainer(model, EtaRule{0.4}, options);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{3}, rows.rows()}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, batches of " << batch);
      for (std::size_t first = 0; first + batch <= rows.rows(); first += batch) {
        const Explanation part = explainer(rows.view().rows(first, batch));
        for (std::size_t r = 0; r < batch; ++r) {
          EXPECT_EQ(part.g[r], expected.g[first + r]);
          EXPECT_TRUE(std::ranges::equal(part.relevance.row(r), expected.relevance.row(first + r)));
        }
      }
    }
  }
}

TEST(SmallBatches, ARowOfAnSvmDependsOnNothingElse) {
  Random random(1);
  const Model model = random_svm(random, 80'000, 3);  // over two shards in either pool
  ExplainOptions options = in_g();
  options.background = reference::random_matrix(random, 50, 3);
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    options.precision = precision;
    expect_rows_alone(model, reference::random_matrix(random, 9, 3), options);
  }
}

TEST(SmallBatches, ARowOfNeighborsDependsOnNothingElse) {
  Random random(2);
  const Model model = random_knn(random, 80'000, 3);
  expect_rows_alone(model, reference::random_matrix(random, 9, 3), {});
}

TEST(SmallBatches, TilesKeepThreadsBusyButStartNoneForNothing) {
  // Few rows and few points: one thread. Few rows and many points: threads share the points.
  EXPECT_EQ(plan_tiles(1, 10'000, 4).threads, 1u);
  EXPECT_EQ(plan_tiles(1, 100'000'000, 4).threads, 4u);
  // Work for all threads by rows: as many tiles as threads, each with one.
  const TilePlan plan = plan_tiles(64, 1'000'000, 2);
  EXPECT_EQ(plan.rows, 32u);
  EXPECT_EQ(plan.threads, 1u);
  EXPECT_LE(plan_tiles(100'000, 1'000'000, 2).rows, linalg::kRowTile);
}

#ifdef __linux__  // others count the peak in bytes, or have no such call
// All pairs of 10,000 points with 10,000 would take 800 MB.
TEST(SmallBatches, EvidenceIsLinearInThePoints) {
  Random random(3);
  const Explainer explainer(random_svm(random, 20'000, 2), EtaRule{}, in_g());
  const auto peak_megabytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  const long before = peak_megabytes();
  const Matrix row = reference::random_matrix(random, 1, 2);
  EXPECT_EQ(explainer.evidence(row.row(0), 5).size(), 5u);
  EXPECT_LT(peak_megabytes() - before, 100);
}
#endif

}  // namespace
}  // namespace bisector
