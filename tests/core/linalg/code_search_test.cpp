// Searches by 8-bit codes find what sorting all distances finds, and their bounds hold.
#include "core/linalg/code_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bisector/random.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/packed_matrix.h"
#include "core/simd/code_kernels.h"
#include "reference/random_models.h"
#include "reference/search_cases.h"

namespace bisector::linalg {
namespace {

class CodesAtEveryLevel : public testing::TestWithParam<simd::Level> {
 protected:
  void SetUp() override { simd::force_level(GetParam()); }
  void TearDown() override { simd::force_level(before_); }

 private:
  simd::Level before_ = simd::active_level();
};

/// Rows that the codes gave up may have any result; returns how many there were.
std::size_t expect_sorted(const reference::SearchCase& c, unsigned threads) {
  std::vector<std::size_t> crowded;
  const CodeSearch search(make_groups(c.points, c.groups, c.group_count));
  const auto found = search.search(c.rows.view(), c.wanted, threads, crowded);
  for (std::size_t r = 0; r < c.rows.rows(); ++r) {
    if (std::ranges::binary_search(crowded, r)) continue;
    EXPECT_EQ(found[r], reference::sorted_neighbors(c, c.rows.row(r))) << "row " << r;
  }
  return crowded.size();
}

TEST_P(CodesAtEveryLevel, NoNeighborIsLost) {
  std::size_t rows = 0, given_up = 0;
  for (std::uint64_t seed = 0; seed < reference::case_count(400); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto c = reference::search_case(seed, seed % 20 == 0 ? 3000 : 300, 150);
    given_up += expect_sorted(c, seed % 3 == 0 ? 3 : 1);
    rows += c.rows.rows();
    if (HasFailure()) return;
  }
  EXPECT_LT(given_up, rows / 4);  // else this would test little
  RecordProperty("rows", static_cast<int>(rows));
  RecordProperty("given_up", static_cast<int>(given_up));
}

TEST_P(CodesAtEveryLevel, NoNeighborOfAPointOnALineIsLost) {
  for (std::uint64_t seed = 1000; seed < 1000 + reference::case_count(100); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto c = reference::search_case(seed, 400, 100);
    Random random(seed);
    // Some of the points themselves.
    const auto starts = c.points.view().rows(0, std::min<std::size_t>(c.points.rows(), 3));
    std::vector<LineStep> steps;
    for (std::size_t s = 0; s < 4; ++s)
      steps.push_back({random.below(starts.rows()), s == 3 ? 1.0 : random.uniform()});
    const Lines<double> lines{starts, steps};
    std::vector<std::size_t> crowded;
    const CodeSearch search(make_groups(c.points, c.groups, c.group_count));
    const auto found = search.search_on_lines(c.rows.view(), lines, c.wanted, 1, crowded);
    std::vector<double> point(c.points.cols());
    for (std::size_t q = 0; q < found.size(); ++q) {
      point_on_line(c.rows.row(q / steps.size()), lines, steps[q % steps.size()], point);
      if (std::ranges::binary_search(crowded, q)) continue;
      ASSERT_EQ(found[q], reference::sorted_neighbors(c, point)) << "query " << q;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PerIsa, CodesAtEveryLevel, testing::ValuesIn(simd::supported_levels()),
                         [](const auto& level) { return std::string(simd::name(level.param)); });

/// |u|^2 - 2 x.u relative to the center, and the size of its terms.
struct Score {
  long double value, size;
};
Score exact_score(std::span<const double> row, std::span<const double> point,
                  std::span<const double> center) {
  Score score{0.0L, 0.0L};
  for (std::size_t d = 0; d < row.size(); ++d) {
    const long double u = point[d] - center[d], x = row[d] - center[d];
    score.value += u * u - 2.0L * x * u;
    score.size += u * u + 2.0L * std::abs(x * u);
  }
  return score;
}

TEST(PointCodes, BoundsHoldForEveryTableOfKernels) {
  for (const simd::CodeKernels* kernels : simd::supported_code_kernels()) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(testing::Message() << kernels->name << ", seed " << seed);
      const auto c = reference::search_case(seed, 100, 200);
      const auto groups = make_groups(c.points, std::vector<std::size_t>(c.points.rows(), 0), 1);
      const PointSet& points = *groups[0].points;
      const PointCodes codes = PointCodes::of_groups(groups)[0];
      const CodedRows rows(c.rows.view(), points.center(), kernels->largest_row_code);
      const std::size_t padded = round_up(points.size(), simd::kCodePanel);
      std::vector<simd::Hit<float>> hits(padded * rows.size());
      const std::vector<float> limits(rows.size(), std::numeric_limits<float>::max());
      ASSERT_EQ(kernels->find_near(rows.data(), rows.size(), codes.columns(0), padded,
                                   limits.data(), hits.data()),
                hits.size());
      for (const simd::Hit<float>& hit : hits) {
        if (hit.column >= points.size()) continue;
        const Score score = exact_score(c.rows.row(hit.row), points[hit.column], points.center());
        // Below the smallest float, bounds have an allowance of their own (CodeSearch).
        const long double tiny = 1e-35L + 1e-14L * score.size;
        ASSERT_LE(hit.value, score.value + tiny);
        ASSERT_GE(hit.value + codes.width(rows[hit.row], hit.column), score.value - tiny);
      }
    }
  }
}

// 127 * 127 in every feature: the largest sums, and every pair of the saturating instruction full.
TEST(CodeKernels, ProductsOfTheLargestCodesAreExact) {
  constexpr std::size_t kQuads = 1000;
  for (const simd::CodeKernels* kernels : simd::supported_code_kernels()) {
    SCOPED_TRACE(kernels->name);
    for (const int sign : {1, -1}) {
      const auto largest = static_cast<std::int8_t>(sign * kernels->largest_row_code);
      const std::vector<std::int8_t> codes(4 * kQuads, largest);
      const AlignedVector<std::uint8_t> panel(4 * kQuads * simd::kCodePanel, std::uint8_t{255});
      const AlignedVector<float> ones(simd::kCodePanel, 1.0f);
      const simd::CodeRow row{codes.data(), -128 * largest * 4 * static_cast<int>(kQuads), 2.0f,
                              0.0f, 0.0f};
      const simd::CodeColumns columns{panel.data(), kQuads,      ones.data(),
                                      ones.data(),  ones.data(), ones.data()};
      AlignedVector<float> products(simd::kCodePanel);
      kernels->multiply(&row, 1, columns, simd::kCodePanel, products.data(), simd::kCodePanel);
      for (const float product : products)
        EXPECT_EQ(product, 2.0f * 127.0f * static_cast<float>(largest) * 4.0f * kQuads);
    }
  }
}

TEST(CodeSearch, TakesAtMostOneByteAndAShareOf32BytesPerNumber) {
  Random random(3);
  for (const std::size_t features : {64, 97, 784}) {
    const Matrix points = reference::random_matrix(random, 4800, features);
    const CodeSearch search(make_groups(points, std::vector<std::size_t>(4800, 0), 1));
    const auto numbers = static_cast<double>(points.rows() * features);
    EXPECT_LE(static_cast<double>(search.bytes()) / numbers,
              1.0 + 32.0 / static_cast<double>(features));
  }
}

// Many features go through codes, and what they give up through floats and doubles.
TEST(NeighborSearch, ManyFeaturesAreSearchedExactlyOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto c = reference::search_case(seed, 3000, 200, 64);
    const NeighborSearch search(c.points, c.groups, c.group_count);
    for (const unsigned threads : {1U, 3U}) {
      const auto found = search.search(c.rows.view(), c.wanted, threads);
      for (std::size_t r = 0; r < c.rows.rows(); ++r)
        ASSERT_EQ(found[r], reference::sorted_neighbors(c, c.rows.row(r))) << "row " << r;
    }
    const std::vector<LineStep> steps = {{0, 0.3}, {0, 1.0}, {0, 0.7}};
    const Lines<double> lines{c.points.view().rows(0, 1), steps};
    const auto on_lines = search.search_on_lines(c.rows.view(), lines, c.wanted, 2);
    std::vector<double> point(c.points.cols());
    for (std::size_t q = 0; q < on_lines.size(); ++q) {
      point_on_line(c.rows.row(q / 3), lines, steps[q % 3], point);
      ASSERT_EQ(on_lines[q], reference::sorted_neighbors(c, point)) << "query " << q;
    }
  }
}

}  // namespace
}  // namespace bisector::linalg
