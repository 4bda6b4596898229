// Rows that stay in a file have the same neighbors as the same numbers in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/linalg/code_search.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/vectors.h"
#include "reference/error_of.h"
#include "reference/search_cases.h"

namespace bisector::linalg {
namespace {

/// Floats in memory that are read as those of a file are.
class CountedRows : public FileRows {
 public:
  explicit CountedRows(const Matrix& rows)
      : FileRows("rows.npy", rows.rows(), rows.cols()),
        floats_(rows.values().begin(), rows.values().end()) {}

  void read(std::size_t first, std::span<float> numbers) const override {
    std::copy_n(floats_.begin() + static_cast<std::ptrdiff_t>(first * cols()), numbers.size(),
                numbers.begin());
    numbers_read_ += numbers.size();
  }
  /// How often a number was read, on average.
  double passes() const {
    return static_cast<double>(numbers_read_) / static_cast<double>(floats_.size());
  }

 private:
  std::vector<float> floats_;
  mutable std::size_t numbers_read_ = 0;
};

/// A case whose points are numbers that floats hold.
reference::SearchCase float_case(std::uint64_t seed, std::size_t most_points) {
  auto c = reference::search_case(seed, most_points, 100);
  for (std::size_t n = 0; n < c.points.rows(); ++n)
    for (double& value : c.points.row(n)) value = static_cast<float>(value);
  return c;
}

TEST(FileRows, NoNeighborIsLostInAFile) {
  for (std::uint64_t seed = 0; seed < reference::case_count(200); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto c = float_case(seed, seed % 10 == 0 ? 3000 : 300);
    const SharedMatrix in_file(std::make_shared<const CountedRows>(c.points));
    const NeighborSearch search(in_file, c.groups, c.group_count);
    EXPECT_TRUE(search.has_codes());
    const auto found = search.search(c.rows.view(), c.wanted, 1);
    for (std::size_t r = 0; r < c.rows.rows(); ++r)
      ASSERT_EQ(found[r], reference::sorted_neighbors(c, c.rows.row(r))) << "row " << r;
    const std::vector<LineStep> steps = {{0, 0.3}, {0, 1.0}};
    const Lines<double> lines{c.points.view().rows(0, 1), steps};
    const auto on_lines = search.search_on_lines(c.rows.view(), lines, c.wanted, 1);
    const NeighborSearch in_memory(c.points, c.groups, c.group_count);
    EXPECT_EQ(on_lines, in_memory.search_on_lines(c.rows.view(), lines, c.wanted, 1));
  }
}

// Building reads the file a few times, and a search only what may be a neighbor.
TEST(FileRows, ASearchReadsFewRows) {
  Random random(1);
  const Matrix centers = reference::random_matrix(random, 200, 96);
  Matrix points = reference::random_matrix(random, 20000, 96);
  for (std::size_t n = 0; n < points.rows(); ++n)
    for (std::size_t d = 0; d < points.cols(); ++d) points(n, d) += centers(n % 200, d);
  const auto file = std::make_shared<const CountedRows>(points);
  const NeighborSearch search(SharedMatrix(file), std::vector<std::size_t>(20000, 0), 1);
  const double building = file->passes();
  EXPECT_LE(building, 4.0);
  search.search(points.view().rows(0, 100), 9, 1);
  EXPECT_LT(file->passes() - building, 1.0);
}

TEST(FileRows, GatherBlocksAndEqualityAreThoseOfTheMatrix) {
  Random random(2);
  Matrix rows = reference::random_matrix(random, 9000, 70);  // several blocks
  for (std::size_t n = 0; n < rows.rows(); ++n)
    for (double& value : rows.row(n)) value = static_cast<float>(value);
  const SharedMatrix in_file(std::make_shared<const CountedRows>(rows)), in_memory(rows);
  EXPECT_EQ(in_file, in_memory);
  EXPECT_EQ(row_mean(in_file), row_mean(in_memory));
  const std::vector<std::size_t> some = {8999, 0, 17, 17};
  EXPECT_EQ(in_file.gather(some), in_memory.gather(some));
  rows(8999, 69) += 1.0;
  EXPECT_FALSE(in_file == SharedMatrix(rows));
  EXPECT_NE(error_of([&] { static_cast<void>(*in_file); }).find("rows.npy: the rows are in a file"),
            std::string::npos);
}

}  // namespace
}  // namespace bisector::linalg
