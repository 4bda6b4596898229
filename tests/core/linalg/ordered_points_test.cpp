// Points in the order of their distances, against plain sums.
#include "core/flips/row_neighbors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/linalg/vectors.h"
#include "reference/plain_machines.h"

namespace bisector::linalg {
namespace {

using reference::normal_rows;

TEST(OrderedPoints, DistancesAndProductsAreThoseOfPlainSums) {
  for (const std::size_t features : {1, 3, 30}) {
    const Matrix points = normal_rows(1, 130, features), around = normal_rows(2, 2, features);
    std::vector<std::size_t> rows;
    for (std::size_t n = 0; n < 130; n += 1 + n % 2) rows.push_back(n);
    const auto x = around.row(0), moved = around.row(1);
    const OrderedPoints ordered(points, rows, x);
    ASSERT_EQ(ordered.size(), rows.size());
    std::vector<double> y(features), values(round_up(ordered.size(), OrderedPoints::kBlock));
    for (std::size_t d = 0; d < features; ++d) y[d] = x[d] + moved[d];
    ordered.relative_squares(moved, 0, ordered.size(), values.data());
    std::set<std::size_t> seen;
    for (std::size_t n = 0; n < ordered.size(); ++n) {
      const auto point = points.row(ordered.row(n));
      seen.insert(ordered.row(n));
      EXPECT_DOUBLE_EQ(ordered.distance(n), std::sqrt(squared_distance(x, point)));
      if (n > 0) {
        EXPECT_LE(ordered.distance(n - 1), ordered.distance(n));
      }
      EXPECT_NEAR(values[n], squared_distance(y, point) - squared_norm(moved), 1e-11);
      EXPECT_GT(ordered.within(ordered.distance(n)), n);
    }
    EXPECT_EQ(seen, std::set<std::size_t>(rows.begin(), rows.end()));
    // A block alone has the same bits.
    std::vector<double> block(OrderedPoints::kBlock);
    ordered.relative_squares(moved, OrderedPoints::kBlock, ordered.size(), block.data());
    for (std::size_t n = OrderedPoints::kBlock; n < ordered.size() && n < 2 * block.size(); ++n)
      EXPECT_EQ(block[n - OrderedPoints::kBlock], values[n]);
  }
}

TEST(OrderedPoints, NoPoints) {
  const OrderedPoints none(Matrix(3, 2), {}, std::vector<double>{0.0, 0.0});
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.within(1e9), 0u);
}

}  // namespace
}  // namespace bisector::linalg
