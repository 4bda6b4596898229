// The votes around one row, against the model's own predictions.
#include "core/flips/row_neighbors.h"

#include <gtest/gtest.h>

#include "bisector/predict.h"
#include "core/linalg/vectors.h"
#include "reference/plain_machines.h"

namespace bisector::detail {
namespace {

using reference::normal_rows;
using reference::plain_neighbors;

TEST(RowNeighbors, FlipsWhereThePredictionDoes) {
  for (const std::size_t k : {1, 2, 4, 5, 9}) {
    const Model model = plain_neighbors(k, 60, 3, 2, k);
    const auto regions = NeighborRegions::of(model);
    ASSERT_TRUE(regions && regions->has_majority());
    const Matrix rows = normal_rows(11, 8, 3), others = normal_rows(12, 300, 3);
    const auto own = predict(model, rows).classes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const RowNeighbors neighbors(*regions, rows.row(r), own[r]);
      // Rows at all distances from x.
      Matrix moved(others.rows(), 3);
      for (std::size_t n = 0; n < others.rows(); ++n)
        for (std::size_t d = 0; d < 3; ++d)
          moved(n, d) = rows(r, d) + 0.01 * static_cast<double>(n) * others(n, d);
      const auto classes = predict(model, moved).classes;
      for (std::size_t n = 0; n < moved.rows(); ++n)
        EXPECT_EQ(neighbors.flips(moved.row(n)), classes[n] != own[r]);
    }
  }
}

TEST(RowNeighbors, RowsThatApproachStayFlippedAndReachTheBoundary) {
  for (const std::size_t k : {1, 4, 5}) {
    const Model model = plain_neighbors(6, 60, 2, 2, k);
    const auto regions = NeighborRegions::of(model);
    const Matrix rows = normal_rows(11, 10, 2), others = normal_rows(13, 40, 2);
    const auto own = predict(model, rows).classes, theirs = predict(model, others).classes;
    const RowNeighbors::Box box{{0, 1}, {-9.0, -9.0}, {9.0, 9.0}};
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const RowNeighbors neighbors(*regions, rows.row(r), own[r]);
      for (std::size_t o = 0; o < others.rows(); ++o) {
        if (theirs[o] == own[r]) continue;
        const auto other = others.row(o);
        RowNeighbors::Polyhedra visited;
        const auto nearest = neighbors.approach({other.begin(), other.end()}, box, visited);
        EXPECT_TRUE(neighbors.flips(nearest));
        EXPECT_LE(linalg::squared_distance(rows.row(r), nearest),
                  linalg::squared_distance(rows.row(r), other) + 1e-9);
        // Slightly closer to the row, the prediction is its own.
        std::vector<double> closer(2);
        for (std::size_t d = 0; d < 2; ++d)
          closer[d] = nearest[d] + 1e-5 * (rows(r, d) - nearest[d]);
        EXPECT_FALSE(neighbors.flips(closer));
      }
    }
  }
}

TEST(RowNeighbors, OnePolyhedronIsVisitedOnce) {
  const Model model = plain_neighbors(6, 60, 2, 2, 5);
  const auto regions = NeighborRegions::of(model);
  const Matrix rows = normal_rows(11, 10, 2), others = normal_rows(13, 40, 2);
  const auto own = predict(model, rows).classes, theirs = predict(model, others).classes;
  const RowNeighbors::Box box{{0, 1}, {-9.0, -9.0}, {9.0, 9.0}};
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RowNeighbors neighbors(*regions, rows.row(r), own[r]);
    RowNeighbors::Polyhedra visited;
    for (std::size_t o = 0; o < others.rows(); ++o) {
      if (theirs[o] == own[r]) continue;
      const std::vector<double> start(others.row(o).begin(), others.row(o).end());
      const auto first = neighbors.approach(start, box, visited);
      EXPECT_TRUE(neighbors.flips(first));
      const std::size_t known = visited.size();
      EXPECT_EQ(neighbors.approach(start, box, visited), start);
      EXPECT_EQ(visited.size(), known);
    }
  }
}

}  // namespace
}  // namespace bisector::detail
